// The cost of a mispredicted branch: its interval, and its use in verdicts.

#include "model/roofs/per_cycle.hpp"

#include <gtest/gtest.h>

#include "model/points/needs/stalls/branches.hpp"
#include "tests/model/joe0.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

Roof branches(const Operation& op, double value, double lo, double hi) {
  Roof roof = joe0::bandwidth(0, "core", "core", -1, value);
  roof.spec.kind = Kind::branch;
  roof.spec.op = op;
  roof.unit = "ns";
  roof.lo = lo;
  roof.hi = hi;
  roof.n = op == operations::branch_random ? 30 : 20;
  roof.clock_ghz = 2;
  return roof;
}

Roofs with_branches(Roofs roofs) {
  roofs.roofs.push_back(branches(operations::branch_random, 5, 4.8, 5.1));
  roofs.roofs.push_back(branches(operations::branch_steady, 1, 0.9, 1.2));
  return roofs;
}

TEST(BranchCost, IsTwiceTheDifferenceWithTheIntervalOfBoth) {
  const std::vector<Roof> roofs = with_branches({}).roofs;
  const auto cost = mispredicted_branch(roofs, 0);
  ASSERT_TRUE(cost);
  EXPECT_NEAR(cost->value, 8, 1e-9);
  EXPECT_NEAR(cost->lo, 2 * (4.8 - 1.2), 1e-9);
  EXPECT_NEAR(cost->hi, 2 * (5.1 - 0.9), 1e-9);
  EXPECT_EQ(cost->n, 20);
  EXPECT_EQ(cost->clock_ghz, 2);
  EXPECT_FALSE(mispredicted_branch(roofs, 1)) << "another cluster";
  EXPECT_FALSE(mispredicted_branch({roofs[0]}, 0)) << "without the branches that are predicted";
  std::vector<Roof> clocks = roofs;  // the others ran at twice the clock, in half of the time
  clocks[1].clock_ghz = 4;
  for (double* value : {&clocks[1].value, &clocks[1].lo, &clocks[1].hi}) *value /= 2;
  EXPECT_NEAR(mispredicted_branch(clocks, 0)->value, 8, 1e-9);
  std::vector<Roof> skipped = roofs;
  skipped[1].status = Status::skipped;
  EXPECT_FALSE(mispredicted_branch(skipped, 0));
  std::vector<Roof> same = roofs;
  same[1].value = same[1].lo = same[1].hi = 5.05;
  EXPECT_EQ(mispredicted_branch(same, 0)->value, 0) << "not below 0";
  EXPECT_EQ(mispredicted_branch(same, 0)->lo, 0);
}

Point with_branches_on_cached_data(double mispredicted) {
  Point point = program(1e9, 20e9, 0, 1, {bytes("memory", 1e9)});
  point.instructions = {50e9, 20e9, 2e9, mispredicted};
  return point;
}

// Branches on data in a cache wait for no line, but each has its cost.
TEST(BranchCost, VerdictsCountIt) {
  const Point point = with_branches_on_cached_data(0.8e9);
  const Roofs older = with_chases(), measured = with_branches(with_chases());
  EXPECT_EQ(share_of(needs_of(older, point, 0, {}), "mispredicted branches"), -1);
  const Need need = need_of(needs_of(measured, point, 0, {}), Limit::Kind::branches);
  EXPECT_FALSE(need.is_range);
  EXPECT_NEAR(need.share, 0.8e9 * 8e-9 / 7, 1e-6);
  EXPECT_LE(need.lo, 0.8 * 0.8e9 * 7.2e-9 / 7 + 1e-9) << "a real predictor may know a fifth of them";
  EXPECT_GT(need.lo, need.share / 2);
  EXPECT_EQ(need.hi, 1) << "not more than all of its time";
  const std::string cause = read_point(measured, point).verdict.text();
  EXPECT_NE(cause.find("waiting at mispredicted branches probably binds it"), std::string::npos) << cause;
  EXPECT_NE(cause.find("91 % of its time for 800 million mispredicted branches at the measured cost"),
            std::string::npos)
      << cause;
  EXPECT_NE(cause.find("select without branches"), std::string::npos) << cause;
  EXPECT_NE(read_point(older, point).verdict.text().find("what one costs by itself is not known"),
            std::string::npos);
}

// Of a function that calls others, they take time in those.
TEST(BranchCost, MispredictedCallsTakeTimeWhereTheyLead) {
  const Roofs measured = with_branches(with_chases());
  const auto seconds = [&](const Instructions& of) { return seconds_of_branches(measured, 0, of)->value; };
  Instructions caller = with_branches_on_cached_data(0.8e9).instructions, called;
  caller.mispredicted_jumps = called.mispredicted_entries = 0.6e9;
  EXPECT_NEAR(seconds(caller), 0.2e9 * 8e-9, 1e-6);
  EXPECT_NEAR(seconds(called), 0.6e9 * 8e-9, 1e-6);
  Instructions both = caller;
  both += called;
  EXPECT_NEAR(seconds(both), 0.8e9 * 8e-9, 1e-6);
  Point point = with_branches_on_cached_data(0.8e9);
  point.instructions = both;
  const std::string cause = read_point(measured, point).verdict.text();
  EXPECT_NE(cause.find("objects with virtual functions by their type"), std::string::npos) << cause;
}

// They also wait for the operations that decide them: 10 cycles each at 2 GHz are 5 ns more.
TEST(BranchCost, OperationsThatDecideThemCount) {
  Roofs measured = with_branches(with_chases());
  for (Roof& roof : measured.roofs) {
    if (roof.spec.kind == Kind::branch) roof.clock_ghz = 2;
  }
  Point point = with_branches_on_cached_data(0.1e9);
  const Need alone = need_of(needs_of(measured, point, 0, {}), Limit::Kind::branches);
  point.instructions.resolving_cycles = 10 * 0.1e9;
  const Need need = need_of(needs_of(measured, point, 0, {}), Limit::Kind::branches);
  EXPECT_NEAR(need.share - alone.share, 0.1e9 * 5e-9 / 7, 1e-6);
  EXPECT_NEAR(need.lo - alone.lo, 0.8 * 0.1e9 * 5e-9 / 7, 1e-6);
  EXPECT_NEAR(need.hi - alone.hi, 1.2 * 0.1e9 * 5e-9 / 7, 1e-6);
  EXPECT_NEAR(seconds_of_branches(measured, 0, point.instructions)->value, 0.1e9 * 13e-9, 1e-6);
  const std::string cause = read_point(measured, point).verdict.text();
  EXPECT_NE(cause.find("one costs 8.0 ns by itself and 5.0 until its condition is known"), std::string::npos)
      << cause;
  EXPECT_FALSE(seconds_of_branches(with_chases(), 0, point.instructions)) << "the cost was not measured";
}

// The more of them, the more they need, and never more than all of the time.
TEST(BranchCost, TheNeedGrowsWithTheBranches) {
  const Roofs measured = with_branches(with_chases());
  Need before;
  for (const double billions : {0.1, 0.2, 0.4, 0.8, 1.6}) {
    const Point point = with_branches_on_cached_data(billions * 1e9);
    const Need need = need_of(needs_of(measured, point, 0, {}), Limit::Kind::branches);
    EXPECT_GT(need.share, before.share);
    EXPECT_GE(need.hi, before.hi);
    EXPECT_LE(need.lo, need.share);
    EXPECT_LE(need.share, need.hi);
    EXPECT_LE(need.hi, 1);
    before = need;
  }
}

// A fifth of the time for what each costs, and up to half for the lines that decide them.
TEST(BranchCost, BranchesThatWaitForLinesAreARange) {
  Point point = with_branches_on_cached_data(0.2e9);
  point.levels.back().irregular = 64 * 40e6;
  const Need need = need_of(needs_of(with_branches(with_chases()), point, 0, {}), Limit::Kind::branches);
  EXPECT_TRUE(need.is_range);
  EXPECT_GT(need.besides.lo, 0);
  EXPECT_GE(need.lo, need.besides.lo);
  EXPECT_GT(need.hi, need.besides.hi);
  EXPECT_EQ(need.share, need.lo);
}

// Of the loads without an order, a quarter decides mispredicted branches. So does a quarter of the lines of
// the memory, whose other loads are in L2.
TEST(BranchCost, BranchesWaitForTheLoadsThatDecideThem) {
  const Roofs roofs = with_branches(with_chases());
  Point point = with_branches_on_cached_data(0.2e9);
  point.levels = {bytes("L2", 64 * 80e6, 0, 64 * 80e6), bytes("memory", 64 * 40e6, 0, 64 * 40e6)};
  const auto need = [&] { return need_of(needs_of(roofs, point, 0, {}), Limit::Kind::branches); };
  const Need unknown = need();
  EXPECT_TRUE(unknown.is_range);
  point.instructions.unordered_loads = 200e6;
  point.instructions.waited_loads = 0;
  EXPECT_NEAR(need().share, unknown.besides.share, 1e-9) << "the branches wait for no load";
  EXPECT_FALSE(need().is_range);
  point.instructions.waited_loads = 50e6;
  const double likely = (10e6 * 100e-9 + 10e6 * 4e-9) / 7;
  EXPECT_NEAR(need().share, unknown.besides.share + likely / 3, 1e-9) << "most of them overlap";
  EXPECT_NEAR(need().lo, unknown.besides.lo + likely / 10, 1e-9);
  EXPECT_NEAR(need().hi, unknown.besides.hi + (40e6 * 100e-9 + 10e6 * 4e-9) / 7, 1e-9) << "the slowest ones";
  point.instructions.waited_loads = 400e6;
  EXPECT_NEAR(need().share, unknown.besides.share + 4 * likely / 3, 1e-9) << "not more than all lines";
}

// A function whose loads were not followed makes the whole need a range if they may take as long as all else.
TEST(BranchCost, FewUnknownLoadsMakeNoRange) {
  const Roofs roofs = with_branches(with_chases());
  const auto is_range = [&](double unknown_lines) {
    Point point = with_branches_on_cached_data(0.2e9);
    for (const double lines : {40e6, unknown_lines}) {
      FunctionWork function;
      function.levels = {bytes("memory", 64 * lines, 0, 64 * lines)};
      function.instructions = point.instructions;
      function.instructions.mispredicted /= 2;
      point.functions.push_back(function);
    }
    point.functions.front().instructions.unordered_loads = 40e6;
    point.functions.front().instructions.waited_loads = 30e6;
    return need_of(needs_of(roofs, point, 0, {}), Limit::Kind::branches).is_range;
  };
  EXPECT_FALSE(is_range(1e6)) << "0.1 s beside 2.6";
  EXPECT_TRUE(is_range(40e6)) << "4 s";
}

}  // namespace
}  // namespace gable::model
