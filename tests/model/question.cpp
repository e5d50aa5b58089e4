// Which roof counts: what the callers of best() rely on.

#include "model/records/question.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "model/roofs/best.hpp"

namespace gable::model {
namespace {

Roof roof_of(Kind kind, Status status, bool other_state, double value) {
  Roof roof;
  roof.spec.kind = kind;
  roof.status = status;
  roof.other_state = other_state;
  roof.value = roof.lo = roof.hi = value;
  return roof;
}

// The roofs go from the best to the worst.
std::vector<Roof> ranked(Kind kind) {
  const double good = is_latency(kind) ? 1 : 2, bad = 3 - good;
  return {roof_of(kind, Status::ok, false, good), roof_of(kind, Status::ok, false, bad),
          roof_of(kind, Status::ok, true, is_latency(kind) ? 0.1 : 20), roof_of(kind, Status::ok, true, bad)};
}

TEST(Best, FiguresThatAreOkThenTheReportedStateThenTheValue) {
  for (const KindRow& kind : kind_rows) {
    std::vector<Roof> roofs = ranked(kind.value);
    roofs.push_back(roof_of(kind.value, Status::invalid, false, 100));
    for (std::size_t i = 0; i < roofs.size(); ++i) {
      for (std::size_t j = 0; j < roofs.size(); ++j)
        EXPECT_EQ(is_better(roofs[i], roofs[j]), i < j) << kind.name << " " << i << " " << j;
    }
  }
}

TEST(Best, DoesNotDependOnTheOrder) {
  std::mt19937 random(1);
  for (const Kind kind : {Kind::bandwidth, Kind::latency}) {
    std::vector<Roof> roofs = ranked(kind);
    const double value = roofs.front().value;
    for (int i = 0; i < 20; ++i) {
      std::ranges::shuffle(roofs, random);
      const Roof* const found = best(roofs, [](const Roof&) { return true; });
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(found->value, value);
      const std::vector<Roof> each = best_of_each(roofs, [](const Roof&) { return true; });
      ASSERT_EQ(each.size(), 1u);
      EXPECT_EQ(each.front().value, value);
    }
  }
}

TEST(Best, IsNoneWhereNoneIsOk) {
  const std::vector<Roof> roofs = {roof_of(Kind::bandwidth, Status::skipped, false, 0)};
  EXPECT_EQ(best(roofs, [](const Roof&) { return true; }), nullptr);
  const std::vector<Roof> each = best_of_each(roofs, [](const Roof&) { return true; });
  ASSERT_EQ(each.size(), 1u) << "its reason is shown";
  EXPECT_EQ(each.front().status, Status::skipped);
}

// Each of these changes makes another question, and no other field does.
TEST(Question, IsWhatIsMeasuredAndNotHow) {
  Case spec;
  spec.node = 0;
  spec.tier = Tier::dram;
  spec.op = operations::load;
  std::vector<Case> others(12, spec);
  others[0].kind = Kind::validation;
  others[1].cluster = 1;
  others[2].level = Level("MSC");
  others[3].pattern = Pattern::remote;
  others[4].node = 1;
  others[5].tier = Tier::hbm;
  others[6].op = operations::store;
  others[7].precision = Precision::dp;
  others[8].load_percent = 50;
  others[9].other_node = 1;
  others[10].node_percent = 50;
  others[11].flop_per_byte = 1;
  for (const Case& other : others) EXPECT_NE(question_of(spec), question_of(other)) << key(other);
  std::vector<Case> ways(5, spec);
  ways[0].kernel = "load_avx2";
  ways[1].pages = *pages_named("4k");
  ways[2].threads = 4;
  ways[3].smt = true;
  ways[4].bytes = 1 << 20;
  for (const Case& way : ways) EXPECT_EQ(question_of(spec), question_of(way)) << key(way);
  Case step = spec;
  step.pattern = Pattern::ladder;
  Case larger = step;
  larger.bytes = 1 << 20;
  EXPECT_NE(question_of(step), question_of(larger)) << "each step of a ladder asks for its working set";
}

}  // namespace
}  // namespace gable::model
