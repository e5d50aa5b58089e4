// Loads that wait for data on several nodes take the mean of their latencies, by the parts of the data.

#include <gtest/gtest.h>

#include "model/points/needs/measured.hpp"
#include "tests/model/forecast_programs.hpp"

namespace gable::model {
namespace {

using namespace invented;

constexpr double times_as_slow = 3;

// Node 1 takes three times as long as node 0: 300 ns, and 67 million random lines in a second.
Roofs with_slow_node() {
  Roofs made = roofs();
  for (const Roof& each : roofs().roofs) {
    if (!is_memory(each.spec.level)) continue;
    Roof& slow = made.roofs.emplace_back(each);
    slow.spec.node = 1;
    const double factor = each.spec.kind == Kind::latency ? times_as_slow : 1 / times_as_slow;
    for (double* value : {&slow.value, &slow.lo, &slow.hi}) *value *= factor;
  }
  made.machine_nodes = {{0, {0, 1}}};
  made.machine_tiers[1] = Tier::dram;
  return made;
}

Setting divided_data(const Roofs& on, double on_slow) {
  Setting made = setting(on);
  constexpr double all = 1 << 30;
  made.like.node_bytes = {{0, static_cast<std::uint64_t>((1 - on_slow) * all)},
                          {1, static_cast<std::uint64_t>(on_slow * all)}};
  made.like.policy = "interleave";
  return made;
}

TEST(DataOnTwoNodes, LoadsTakeTheMeanOfTheLatencies) {
  const Roofs on = with_slow_node();
  for (const double part : {0.05, 0.5, 0.9}) {
    const Point point = divided_data(on, part).like;
    const double longer = 1 - part + times_as_slow * part;
    const auto latency = latency_of(on, point, 0, Level::memory());
    ASSERT_TRUE(latency);
    EXPECT_NEAR(latency->value, 100 * longer, 0.01);
    EXPECT_NEAR(latency->lo, 100 * longer, 0.01) << "the roofs have no interval";
    const auto rate = random_rate(on, point, 0, Level::memory());
    ASSERT_TRUE(rate);
    EXPECT_NEAR(rate->lo, 200 / longer, 0.01);
    EXPECT_NEAR(rate->hi, 200 / longer, 0.01);
  }
}

TEST(DataOnTwoNodes, PredictionsFollowTheParts) {
  const Roofs on = with_slow_node();
  for (const Uses& uses : {chained, scattered}) {
    const Profile of = profile({uses});
    const Setting here = timed(divided_data(on, 0), 1.02);
    for (const double part : {0.05, 0.5, 0.9}) {
      const double ratio = forecast(program(of), divided_data(on, part), &here).ratio;
      EXPECT_NEAR(ratio, 1 - part + times_as_slow * part, 0.05 * ratio) << part;
    }
  }
}

TEST(DataOnTwoNodes, ANodeWithoutALatencyIsNotLikeTheOther) {
  Roofs on = with_slow_node();
  std::erase_if(on.roofs,
                [](const Roof& each) { return each.spec.kind == Kind::latency && each.spec.node == 1; });
  EXPECT_FALSE(latency_of(on, divided_data(on, 0.5).like, 0, Level::memory()));
  EXPECT_TRUE(latency_of(on, divided_data(on, 0.05).like, 0, Level::memory()));
}

}  // namespace
}  // namespace gable::model
