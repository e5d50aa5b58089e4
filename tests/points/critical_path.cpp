// The critical path of loops whose chains of dependent operations are known.

#include <filesystem>
#include <map>

#include "points/profile/record.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

using model::CriticalPath;
using model::LatencyClass;

constexpr int operations = 4000000;

// By function. Most pieces of a run are not tracked, so that numbers are estimates.
std::map<std::string, model::Instructions> instructions_of(const std::string& name) {
  std::map<std::string, model::Instructions> by_function;
  const ProfileRun run = record_profile({{program(name), std::to_string(operations)}, true}, false);
  for (const model::FunctionWork& work : run.profile.functions)
    by_function[work.function] += work.instructions;
  return by_function;
}

const std::map<std::string, model::Instructions>& instructions_in_chained() {
  static const auto found = instructions_of("chained");
  return found;
}

std::map<std::string, CriticalPath> paths_in(const std::map<std::string, model::Instructions>& all) {
  std::map<std::string, CriticalPath> paths;
  for (const auto& [function, instructions] : all) paths[function] = instructions.path;
  return paths;
}

const std::map<std::string, CriticalPath>& paths() {
  static const auto found = paths_in(instructions_in_chained());
  return found;
}

// So many operations of these classes for each of the function's, and hardly any of others.
void expect_path(const std::string& function, const std::map<LatencyClass, double>& each) {
  ASSERT_TRUE(paths().contains(function));
  const CriticalPath& path = paths().at(function);
  for (const model::LatencyClassRow& row : model::latency_class_rows) {
    const auto found = each.find(row.value);
    const double expected = found == each.end() ? 0 : found->second;
    EXPECT_NEAR(path[row.value] / operations, expected, 0.02 + 0.03 * expected)
        << function << ": " << row.name;
  }
}

TEST(Paths, ASumIsAChainOfAdditions) {
  SKIP_WITHOUT_VALGRIND();
  expect_path("sum", {{LatencyClass::add, 1}});
}

TEST(Paths, FourSumsAtOnceAreAQuarterAsLong) {
  SKIP_WITHOUT_VALGRIND();
  expect_path("four_sums", {{LatencyClass::add, 0.25}});
}

TEST(Paths, EachOperationHasItsClass) {
  SKIP_WITHOUT_VALGRIND();
  expect_path("products", {{LatencyClass::mul, 1}});
  expect_path("roots", {{LatencyClass::add, 1}, {LatencyClass::sqrt_dp, 1}});
  expect_path("quotients", {{LatencyClass::add, 1}, {LatencyClass::div_sp, 1}});
  expect_path("integers", {{LatencyClass::add, 1}, {LatencyClass::convert, 2}});
  expect_path("generator", {{LatencyClass::integer, 1}, {LatencyClass::integer_mul, 1}});
  expect_path("checksum", {{LatencyClass::integer_mul, 1}});
  expect_path("chase", {{LatencyClass::load, 1}});
}

// In a core, chains of N operations of L cycles begin every P cycles. N / P operations enter in a cycle, and
// wait (L N - P) / 2 cycles on average, so that there are 64 of them: P = L N^2 / (N + 128).
TEST(Paths, ChainsSideBySideFillTheScheduler) {
  SKIP_WITHOUT_VALGRIND();
  constexpr double length = 32, multiplications = length * operations / 8;
  const double each = paths().at("side_by_side")[LatencyClass::mul] / multiplications;
  EXPECT_NEAR(each, length / (length + 128), 0.02);
}

// The flags take a cycle, and the selection by them another one.
TEST(Paths, AConditionalMoveWaitsForTheComparison) {
  SKIP_WITHOUT_VALGRIND();
  expect_path("selections", {{LatencyClass::integer, 2}});
}

TEST(Paths, ADivisionOfIntegersWaitsForItsInputsOrForTheDivider) {
  SKIP_WITHOUT_VALGRIND();
  expect_path("short_divisions", {{LatencyClass::integer_div_32, 1}});
  expect_path("long_divisions", {{LatencyClass::integer_div_64, 1}});
  expect_path("remainders", {{LatencyClass::divider_64, 2}});
}

// A step of the chase may stay in its line. Of a search, the first three loads are no chain yet. The sum of
// the searches is a longer chain than that of their loads.
TEST(Paths, ChainsSideBySideAreShorterThanTheirLoads) {
  SKIP_WITHOUT_VALGRIND();
  const model::Instructions& chase = instructions_in_chained().at("chase");
  EXPECT_LE(chase.chained_loads, 1.05 * chase.chain_steps);
  EXPECT_GT(chase.chained_loads, 0.5 * chase.chain_steps);
  EXPECT_NEAR(chase.chain_steps / operations, 1, 0.05);
  const model::Instructions& searches = instructions_in_chained().at("searches");
  EXPECT_GT(searches.chained_loads, 4 * searches.chain_steps);
  EXPECT_LT(searches.chained_loads, 64 * searches.chain_steps)
      << "as many searches as the window has room for";
}

TEST(Paths, AtomicOperationsWaitForEachOther) {
  SKIP_WITHOUT_VALGRIND();
  CriticalPath all;
  for (const auto& [function, path] : paths()) all += path;
  EXPECT_NEAR(all[LatencyClass::atomic] / operations, 1, 0.05);
}

// The chain passes through memory and through a call. Which of both functions has an operation does not
// matter, their sum does.
TEST(Paths, AValueThatIsStoredAndLoadedAgainIsOnTheChain) {
  SKIP_WITHOUT_VALGRIND();
  CriticalPath both = paths().at("calls");
  both += paths().at("next");
  EXPECT_NEAR(both[LatencyClass::forward] / operations, 1, 0.05);
  EXPECT_NEAR(both[LatencyClass::mul] / operations, 1, 0.05);
  EXPECT_NEAR(both[LatencyClass::add] / operations, 1, 0.05);
}

// A core looks ahead far enough to compute several at once: 7 operations of 4 cycles for each, in windows of
// 512 instructions.
TEST(Paths, ChainsThatDoNotWaitForEachOtherOverlap) {
  SKIP_WITHOUT_VALGRIND();
  for (const char* const function : {"apart", "short_sums"}) {
    const CriticalPath& path = paths().at(function);
    EXPECT_LT(path[LatencyClass::add] + path[LatencyClass::mul], 0.5 * operations) << function;
  }
}

// VEX computes each lane of a vector by itself.
TEST(Paths, LanesOfAMultiplyAddDoNotWaitForEachOther) {
  SKIP_WITHOUT_VALGRIND();
  if (!std::filesystem::exists(program("fused"))) GTEST_SKIP() << "another architecture";
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "this CPU has no AVX2";
  auto paths = paths_in(instructions_of("fused"));
  for (const auto& [function, each] :
       {std::pair("one_chain", 1.0), {"of_floats", 1.0}, {"four_chains", 0.25}})
    EXPECT_NEAR(paths[function][LatencyClass::fma] / operations, each, 0.05 * each) << function;
}

}  // namespace
}  // namespace gable::points::tests
