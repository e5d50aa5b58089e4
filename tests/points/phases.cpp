// Phases of functions: loops that run for long are counted apart from the rest of their function.

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "model/profile/levels.hpp"
#include "points/profile/record.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

using model::FunctionWork;

// The parts of a function, the rest of the function last.
std::vector<FunctionWork> parts_of(const model::Profile& profile, const std::string& function) {
  std::vector<FunctionWork> parts;
  for (const FunctionWork& work : profile.functions) {
    if (work.function == function) parts.push_back(work);
  }
  std::ranges::sort(parts, std::greater(), &FunctionWork::loop);
  return parts;
}

double lines_of(const model::Profile& profile, const std::string& function, std::uint64_t loop) {
  double lines = 0;
  for (const model::ProfileUses& uses : profile.uses) {
    const model::ProfilePlace& place = profile.places[static_cast<std::size_t>(uses.place)];
    if (place.function != function || place.loop != loop) continue;
    for (const auto& [bucket, count] : uses.own.read[1]) lines += count;
  }
  return lines;
}

// It gathers 1000 numbers, which is too short a phase, and then computes 10 000 times, by turns. The turns
// are a loop that is nearly all of the function.
TEST(Phases, AreLoopsThatRunForLong) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 40000, times = 5, turns = n / 1000 * times;
  const model::Profile profile = profile_of("gather by turns", n, times);
  const std::vector<FunctionWork> parts = parts_of(profile, "gather_by_turns");
  ASSERT_EQ(parts.size(), 2) << "a loop and the rest";
  const auto computes = std::ranges::max_element(parts, {}, &FunctionWork::flops);
  const auto gathers = std::ranges::max_element(parts, {}, &FunctionWork::load_bytes);
  ASSERT_NE(computes, gathers);
  EXPECT_GT(computes->loop, 0);
  EXPECT_EQ(gathers->loop, 0);
  // The first iteration of a loop may be counted outside of it.
  EXPECT_NEAR(computes->flops, 2.0 * 10000 * turns, 10);
  EXPECT_LE(computes->load_bytes, 0);
  EXPECT_NEAR(gathers->flops, 1000.0 * turns, 10);
  EXPECT_NEAR(gathers->load_bytes, 12.0 * 1000 * turns, 1000.0 * 12);
  EXPECT_GT(lines_of(profile, "gather_by_turns", gathers->loop), 0.5 * 1000 * turns);
  EXPECT_EQ(lines_of(profile, "gather_by_turns", computes->loop), 0);
}

// The inner loops of a product of matrices take a few hundred instructions each time.
TEST(Phases, LoopsInLoopsAreOneUnlessTheyRunForLong) {
  SKIP_WITHOUT_VALGRIND();
  const int n = 40;
  const std::vector<FunctionWork> parts = parts_of(profile_of("multiply", n, 2), "multiply");
  ASSERT_FALSE(parts.empty());
  double flops = 0;
  for (const FunctionWork& part : parts) flops += part.flops;
  EXPECT_EQ(flops, 2.0 * n * n * n * 2);
  EXPECT_EQ(parts.size(), 1) << "nor is there anything else in the function";
}

// The line of a program's source with this text: "profiled.c:12".
std::string line_with(const std::string& text, const std::string& source = "profiled.c") {
  std::ifstream in(GABLE_SOURCE_DIR "/tests/points/programs/" + source);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find(text) != std::string::npos) return source + ":" + std::to_string(number);
  }
  return {};
}

TEST(Phases, CodeBehindTheRestOfAFunctionIsNoLoop) {
  SKIP_WITHOUT_VALGRIND();
  const std::vector<FunctionWork> parts = parts_of(profile_of("three loops", 50000, 1), "three_loops");
  EXPECT_EQ(parts.size(), 4) << "three loops and the rest";
  const auto rest = std::ranges::find(parts, std::uint64_t{0}, &FunctionWork::loop);
  ASSERT_NE(rest, parts.end());
  EXPECT_LT(rest->instructions.executed, 1000);
  for (const char* loop : {"++i) total = 0.5 * total + 1;", "x[i % 8] += total;", "total = total / 3"})
    EXPECT_EQ(std::ranges::count(parts, line_with(loop), &FunctionWork::line), 1) << loop;
}

// Samples belong to the part with the smallest range around them: its counts are there, too.
TEST(Phases, CodeThatIsPassedOverBelongsToItsLoop) {
  SKIP_WITHOUT_VALGRIND();
  double of_loops = 0, of_all = 0;
  for (const FunctionCounts& part : count_with_profile({{program("branches"), "300000"}, true}).functions) {
    if (part.function != "jump_into_loops") continue;
    of_all += part.work.instructions.executed;
    if (part.loop == 0) {
      EXPECT_EQ(part.code.size(), 1u) << "of the rest, the function alone";
    } else {
      of_loops += part.work.instructions.executed;
    }
  }
  EXPECT_GT(of_all, 300000);
  EXPECT_GT(of_loops, 0.99 * of_all);
}

// A string instruction jumps to itself, and control may leave in the middle of it.
TEST(Phases, ALoopOfStringInstructionsIsOne) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int n = 160000;
  const std::vector<FunctionWork> parts = parts_of(profile_of("copy and add", n, 1), "copy_and_add");
  ASSERT_EQ(parts.size(), 3) << "two loops and the rest";
  const auto copies = std::ranges::max_element(parts, {}, &FunctionWork::store_bytes);
  const auto adds = std::ranges::max_element(parts, {}, &FunctionWork::flops);
  EXPECT_GT(copies->loop, 0);
  EXPECT_NEAR(copies->store_bytes, 8.0 * n, 100);
  EXPECT_NEAR(copies->load_bytes, 8.0 * n, 100);
  EXPECT_GT(adds->loop, 0);
  EXPECT_NEAR(adds->load_bytes, 8.0 * n, 100);
  EXPECT_LT(parts.back().load_bytes + parts.back().store_bytes, 200);
}

// A line of the C++ library would tell nobody where in the program its loop is.
TEST(Phases, LoopsOfInlinedFunctionsHaveTheLineOfTheProgram) {
  SKIP_WITHOUT_VALGRIND();
  const std::vector<FunctionWork> parts = parts_of(profile_of({program("inlined")}), "main");
  for (const char* loop : {"std::accumulate(", "std::inner_product("})
    EXPECT_EQ(std::ranges::count(parts, line_with(loop, "inlined.cpp"), &FunctionWork::line), 1) << loop;
}

// What a short loop executes does not tell how often the long one after it is entered.
TEST(Phases, AShortLoopBesideALongOneBelongsToTheRest) {
  SKIP_WITHOUT_VALGRIND();
  const std::vector<FunctionWork> parts = parts_of(profile_of("short and long", 30000, 1), "short_and_long");
  ASSERT_EQ(parts.size(), 2) << "the long loop and the rest";
  EXPECT_EQ(parts.front().line, line_with("total = total / 5"));
  EXPECT_EQ(parts.back().loop, 0);
}

}  // namespace
}  // namespace gable::points::tests
