// What is written back to a level whose roofs are of loads alone, or of fewer stores than the program's.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

// A second of loads and stores of all data on some nodes.
Point writing(double read, double written, std::map<int, std::uint64_t> nodes) {
  Point point = program(0, read, written, 1, {bytes("memory", read, written)});
  point.node_bytes = std::move(nodes);
  return point;
}

Need memory_need(const Roofs& roofs, const Point& point, const MixModel& hybrid = {}) {
  for (const Need& need : needs_of(roofs, point, 0, hybrid)) {
    if (need.limit.kind == Limit::Kind::memory || need.limit.kind == Limit::Kind::hybrid) return need;
  }
  ADD_FAILURE() << "no need of memory";
  return {};
}

TEST(WriteBacks, ToAMemoryWithRoofsOfLoadsTakeFromNothingToAsMuchAsLoads) {
  const Need need = memory_need(joe0::roofs(), writing(20e9, 10e9, {{0, 100}}));
  EXPECT_TRUE(need.is_range);
  EXPECT_FALSE(need.stores_known);
  EXPECT_NEAR(need.lo, 20 / 36.1, 1e-9);
  EXPECT_NEAR(need.hi, 30 / 36.1, 1e-9);
  EXPECT_FALSE(memory_need(joe0::roofs(), writing(20e9, 0, {{0, 100}})).is_range);
}

// 30 of 36.1 GB/s if reads and write-backs take turns: the memory may bind it.
TEST(WriteBacks, TheVerdictSaysThatTheyMayBindTheProgram) {
  const Reading reading = read_point(joe0::roofs(), writing(20e9, 10e9, {{0, 100}}));
  EXPECT_TRUE(says(reading, "is undecided: of what is known only local memory may bind it"))
      << reading.verdict.text();
  EXPECT_TRUE(says(reading, "No roof was measured with as many stores")) << reading.verdict.text();
  EXPECT_FALSE(says(read_point(joe0::roofs(), writing(35e9, 0, {{0, 100}})), "as many stores"));
}

TEST(WriteBacks, AreNoRangeWhereStoresWereMeasured) {
  Roofs roofs = joe0::roofs();
  Roof store = joe0::bandwidth(0, "memory", "local", 0, 15);
  store.spec.op = operations::store;
  roofs.roofs.push_back(store);
  const Need need = memory_need(roofs, writing(20e9, 10e9, {{0, 100}}));
  EXPECT_FALSE(need.is_range);
  EXPECT_NEAR(need.share, 10 / 36.1 + 10 / 15.0, 1e-9);
}

// Stores without loads, and a roof of as many loads as stores: between what its kernel takes and what the
// lines of the stores take at the same rate.
TEST(WriteBacks, BeyondTheMeasuredStoresAreARange) {
  Roofs roofs = joe0::roofs();
  Roof copy = joe0::bandwidth(0, "memory", "local", 0, 24);
  copy.spec.op = Operation("copy");
  roofs.roofs.push_back(copy);
  const Need need = memory_need(roofs, writing(10e9, 10e9, {{0, 100}}));
  EXPECT_NEAR(need.lo, 10 / 24.0, 1e-9);
  EXPECT_NEAR(need.hi, 10 / 24.0 * 2 / 1.5, 1e-9);
}

// The hybrid model loads the bytes that are read and stores those that are written. Where nearly all data is
// on one node, it says the same as this node's roofs, however much overlaps.
TEST(WriteBacks, TheHybridModelIsWithinTheRangeOfOneNode) {
  for (const double theta : {0.0, 0.4, 1.0}) {
    const MixModel hybrid = [&](int, int, const std::map<int, LoadStore>& shares,
                                const std::optional<AllBusy>&) {
      double longest = 0, sum = 0;
      for (const auto& [node, part] : shares) {
        for (const double each : {part.load, part.store}) {
          const double seconds = each / (node == 0 ? 36.1 : 17.5);
          longest = std::max(longest, seconds);
          sum += seconds;
        }
      }
      MixBandwidth mix;
      mix.value = 1 / (longest + theta * (sum - longest));
      return mix;
    };
    for (const double written : {0.0, 5e9, 10e9, 15e9}) {
      const Need one = memory_need(joe0::roofs(), writing(20e9, written, {{0, 100}}), hybrid);
      const Need both = memory_need(joe0::roofs(), writing(20e9, written, {{0, 975}, {1, 25}}), hybrid);
      EXPECT_EQ(both.limit.kind, Limit::Kind::hybrid);
      EXPECT_FALSE(both.is_range) << "its model knows stores";
      EXPECT_GE(both.share, one.lo * 0.97) << theta << " " << written;
      EXPECT_LE(both.share, one.hi * 1.03) << theta << " " << written;
    }
  }
}

}  // namespace
}  // namespace gable::model
