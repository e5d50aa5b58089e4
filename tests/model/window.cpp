// Loads that a core has under way at once, compared with a core that is simulated load by load.

#include "model/points/needs/stalls/window.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "model/predict/needs/part_time.hpp"
#include "model/roofs/window.hpp"
#include "tests/model/needs.hpp"

namespace gable::model {
namespace {

// A function of so many instructions that loads so many lines without an order, all from memory.
FunctionWork function_of(double instructions, double loads, double stored = 0) {
  FunctionWork work;
  work.function = "gather";
  work.levels = {bytes("memory", 64 * (loads + stored), 0, 64 * (loads + stored))};
  work.levels.back().irregular_stored = 64 * stored;
  work.instructions.executed = instructions;
  return work;
}

Point point_of(const std::vector<FunctionWork>& functions) {
  Point point = program(0, 1e9, 0, 1, {bytes("memory", 0)});
  for (const FunctionWork& work : functions) {
    point.levels.back() += work.levels.back();
    point.instructions.executed += work.instructions.executed;
  }
  point.functions = functions;
  return point;
}

// The latencies that loads at these instructions take in all: instructions enter a window in order when those
// that are `window` before have left it, and leave in order when their loads are back. Each load waits for
// the one before, except for the first of so many `steps`.
double simulated_latencies(const std::vector<std::size_t>& loads, std::size_t window, std::size_t steps = 1) {
  std::vector<double> done;  // of each load
  std::size_t left = 0;      // the first load that has not left before this one enters
  double last_left = 0;
  for (const std::size_t at : loads) {
    while (left < done.size() && loads[left] + window <= at) last_left = std::max(last_left, done[left++]);
    const double waited = done.size() % steps == 0 ? 0 : done.back();
    done.push_back(std::max(last_left, waited) + 1);
  }
  double end = 0;
  for (const double each : done) end = std::max(end, each);
  return end;
}

std::vector<std::size_t> evenly_spread(std::size_t loads, std::size_t apart) {
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < loads; ++i) at.push_back(i * apart);
  return at;
}

TEST(Window, ALoopWaitsAsASimulatedCoreDoes) {
  constexpr double loads = 20000;
  for (const std::size_t window : {128U, 224U, 512U}) {
    for (const std::size_t apart : {5U, 20U, 75U, 140U, 1000U}) {
      const std::vector<std::size_t> at = evenly_spread(loads, apart);
      const Point loop = point_of({function_of(loads * static_cast<double>(apart), loads)});
      const double simulated = simulated_latencies(at, window);
      const double waited = lines_waited_for(loop, 0, static_cast<double>(window));
      // A window has a whole number of loads, so the simulated core may have one more under way.
      EXPECT_LE(simulated, 1.01 * waited + 1) << window << " " << apart;
      EXPECT_GE(simulated, 0.99 * waited / (1 + waited / loads)) << window << " " << apart;
    }
  }
}

TEST(Window, ChainsSideBySideAreThoseOfASimulatedCore) {
  constexpr std::size_t loads = 20000;
  for (const std::size_t steps : {5U, 20U, 60U}) {
    for (const std::size_t apart : {10U, 30U, 80U}) {
      const std::vector<std::size_t> at = evenly_spread(loads, apart);
      Point search = point_of({});
      search.levels.back().chained = 64 * loads;
      search.instructions.executed = static_cast<double>(loads * apart);
      search.instructions.chained_loads = loads;
      search.instructions.chain_steps = simulated_latencies(at, 512, steps);
      for (const std::size_t window : {128U, 224U, 400U}) {
        const double simulated = loads / simulated_latencies(at, window, steps);
        const double expected = std::min(simulated, 10.0);
        EXPECT_NEAR(chains_side_by_side(search, static_cast<double>(window)), expected, 0.15 * expected)
            << steps << " steps, " << apart << " apart, window " << window;
      }
      // A core that mispredicts a branch in each search does not see the next one.
      Point guessed = search;
      guessed.instructions.mispredicted = loads / static_cast<double>(steps);
      EXPECT_LE(chains_side_by_side(guessed, 512), chains_side_by_side(search, 512));
      EXPECT_GE(chains_side_by_side(guessed, 512), 1);
    }
  }
}

TEST(Window, OneChainIsOne) {
  Point chase = point_of({function_of(4e6, 1e6)});
  chase.functions.clear();
  chase.levels.back().chained = 64e6;
  EXPECT_EQ(chains_side_by_side(chase, 512), 1) << "not known";
  chase.instructions.chained_loads = chase.instructions.chain_steps = 1e6;
  EXPECT_EQ(chains_side_by_side(chase, 512), 1);
}

// Where loads come by chance, more of them are under way with another one, or alone, than in a loop.
TEST(Window, LoadsByChanceWaitForHalfAsManyAtLeast) {
  constexpr double loads = 20000;
  std::mt19937_64 random(1);
  for (const double apart : {20.0, 75.0, 1000.0}) {
    std::geometric_distribution<std::size_t> gap(1 / apart);
    std::vector<std::size_t> at = {0};
    while (at.size() < loads) at.push_back(at.back() + 1 + gap(random));
    const Point chance = point_of({function_of(static_cast<double>(at.back()), loads)});
    const double waited = lines_waited_for(chance, 0, 224), simulated = simulated_latencies(at, 224);
    EXPECT_LE(simulated, 1.02 * waited) << apart;
    EXPECT_GE(simulated, 0.48 * waited) << apart;
  }
}

// The instructions near loads, as a profile counts them.
double near(const std::vector<std::size_t>& at) {
  double sum = 512;
  for (std::size_t i = 1; i < at.size(); ++i) sum += std::min(512.0, static_cast<double>(at[i] - at[i - 1]));
  return sum;
}

// In bursts, with pauses of many instructions or few: a pause counts as 512 instructions at most.
TEST(Window, BurstsWaitAsInASimulatedCore) {
  for (const std::size_t pause : {100U, 600U, 50000U}) {
    for (const std::size_t apart : {5U, 20U, 75U, 300U}) {
      std::vector<std::size_t> at;
      for (std::size_t i = 0, next = 0; i < 20000; ++i, next += i % 100 ? apart : pause) at.push_back(next);
      FunctionWork function = function_of(static_cast<double>(at.back()), static_cast<double>(at.size()));
      function.levels.back().near = near(at);
      const Point bursts = point_of({function});
      for (const std::size_t window : {128U, 224U, 512U}) {
        const double waited = lines_waited_for(bursts, 0, static_cast<double>(window));
        const double simulated = simulated_latencies(at, window);
        EXPECT_LE(simulated, 1.25 * waited) << pause << " " << apart << " " << window;
        EXPECT_GE(simulated, 0.45 * waited) << pause << " " << apart << " " << window;
      }
    }
  }
}

// What waits for the memory does not wait for the cache too.
TEST(Window, LoadsOfACacheAreUnderWayWithThoseOfTheMemory) {
  FunctionWork function;
  function.levels = {bytes("L3", 64e6, 0, 64e6), bytes("memory", 16e6, 0, 16e6)};
  function.instructions.executed = 1e9;
  Point point = program(0, 1e9, 0, 1, function.levels);
  const auto waits = [&](double of_cache, double of_memory) {
    function.levels[0].near = of_cache;
    function.levels[1].near = of_memory;
    point.functions = {function};
    return std::pair(lines_waited_for(point, 0, 200), lines_waited_for(point, 1, 200));
  };
  EXPECT_EQ(waits(0, 0), std::pair(0.75e6, 0.25e6)) << "not known: spread over all";
  EXPECT_EQ(waits(2e7, 2e7), std::pair(0.0, 1e5)) << "the same instructions";
  EXPECT_EQ(waits(6e7, 2e7), std::pair(2e5, 1e5));
}

TEST(Window, OtherFunctionsAndStoresDoNotSpreadThem) {
  const FunctionWork gather = function_of(1e7, 1e6), computes = function_of(1e9, 0);
  EXPECT_NEAR(lines_waited_for(point_of({gather}), 0, 200), 1e7 / 200, 1e-6);
  EXPECT_NEAR(lines_waited_for(point_of({gather, computes}), 0, 200), 1e7 / 200, 1e-6);
  EXPECT_NEAR(lines_waited_for(point_of({gather, gather}), 0, 200), 2e7 / 200, 1e-6);
  EXPECT_EQ(lines_waited_for(point_of({function_of(1e9, 0, 1e6)}), 0, 200), 0);
  // Without functions, the instructions of the program count.
  Point whole = point_of({gather, computes});
  whole.functions.clear();
  EXPECT_NEAR(lines_waited_for(whole, 0, 200), 1e6, 1e-6);
}

// The figure of the kernel on a core with this window, whose latency is 100 ns.
void add_window(Roofs& roofs, std::size_t window, double error = 0) {
  constexpr std::size_t loads = 20000, apart = 35;
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < loads; ++i) at.push_back(i * apart);
  add_window(roofs, operations::random_apart, loads * apart / (100 * simulated_latencies(at, window)), error);
}

TEST(Window, IsFoundFromALoopOnASimulatedCore) {
  for (const std::size_t window : {128U, 160U, 200U, 224U, 256U, 320U, 512U}) {
    Roofs roofs = with_chases();
    add_window(roofs, window, 0.1);
    const auto found = instruction_window(roofs.roofs, 0);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->value, static_cast<double>(window), 18) << "half an iteration";
    EXPECT_NEAR(found->lo, 0.9 * (found->value + 17) - 17, 1);
    EXPECT_NEAR(found->hi, 1.1 * (found->value + 17) - 17, 1);
    EXPECT_FALSE(instruction_window(roofs.roofs, 1)) << "another cluster";
    roofs.roofs.back().spec.pages = Pages(4096);
    EXPECT_FALSE(instruction_window(roofs.roofs, 0)) << "the latency is that of other pages";
  }
}

// In a disturbed minute, random loads may take between one and a hundred times as long.
TEST(Window, OfLoadsThatVaryTooMuchIsNotKnown) {
  Roofs roofs = with_chases();
  add_window(roofs, 224, 0.7);
  EXPECT_FALSE(instruction_window(roofs.roofs, 0));
  EXPECT_FALSE(window_of(roofs, 0).is_measured) << "that of today's cores counts";
}

// 75 instructions for each load are far from the rate of random loads.
TEST(Window, WorkBesideRandomLoadsLeavesItUndecided) {
  Roofs roofs = with_chases();
  add_random_loads(roofs, 700, 700);
  Point work = point_of({function_of(7 * 75 * 10e6, 7 * 10e6)});
  work.seconds = work.seconds_lo = work.seconds_hi = 10e6 * 75 / window_of(roofs, 0).likely * 100e-9;
  const Need need = need_of(needs_of(roofs, work, 0, {}), Limit::Kind::irregular);
  EXPECT_NEAR(need.share, 1, 1e-9) << "75 instructions of 224 for each 100 ns";
  EXPECT_NEAR(need.lo, 7 * 10e6 / 700e6 / work.seconds, 1e-9) << "as random loads";
  EXPECT_EQ(need.hi, 1);
  EXPECT_TRUE(says(read_point(roofs, work), "of what is known only irregular access to memory may bind it"))
      << read_point(roofs, work).verdict.text();
  // Where the window was measured, it is decided.
  Roofs measured = roofs;
  add_window(measured, 224);
  const Need known = need_of(needs_of(measured, work, 0, {}), Limit::Kind::irregular);
  EXPECT_FALSE(known.is_range);
  EXPECT_NEAR(known.share, 1, 0.1);
  EXPECT_NEAR(known.lo, known.share / 2, 1e-9) << "they may come by chance";
  EXPECT_TRUE(says(read_point(measured, work), "irregular access to memory"))
      << read_point(measured, work).verdict.text();
  EXPECT_FALSE(says(read_point(measured, work), "undecided")) << read_point(measured, work).verdict.text();
  work.seconds *= 1.5;
  EXPECT_TRUE(says(read_point(measured, work), "takes most: ")) << read_point(measured, work).verdict.text();
  measured.roofs.back().lo *= 0.7;
  EXPECT_TRUE(says(read_point(measured, work), "takes most, perhaps all by its interval of "))
      << read_point(measured, work).verdict.text();
  // A loop of nothing but loads is compared with random loads alone.
  Point gather = point_of({function_of(7 * 5 * 10e6, 7 * 10e6)});
  gather.seconds = gather.seconds_lo = gather.seconds_hi = 0.11;
  EXPECT_FALSE(need_of(needs_of(roofs, gather, 0, {}), Limit::Kind::irregular).is_range);
}

// A core does other work while the cache answers, as long as it has room for the instructions.
TEST(Window, LinesOfACacheWaitIfItAnswersLaterThanTheWindowEnds) {
  Roofs roofs = with_chases();
  add_window(roofs, 200);
  FunctionWork gather = function_of(7 * 100 * 10e6, 0);
  gather.levels = {bytes("L3", 7 * 64 * 10e6, 0, 7 * 64 * 10e6), bytes("memory", 64, 0, 64)};
  Point work = program(0, 1e9, 0, 0.1, gather.levels);
  work.instructions = gather.instructions;
  work.functions = {gather};
  const auto in_cache = [&](double adds_per_cycle) {
    for (Roof& roof : roofs.roofs) {
      roof.adds_per_cycle = adds_per_cycle;
      roof.clock_ghz = 4;
    }
    for (const Need& need : needs_of(roofs, work, 0, {})) {
      if (need.limit.kind == Limit::Kind::irregular && is_cache(need.limit.level)) return need;
    }
    return Need();
  };
  constexpr double by_buffers = 10e6 * 20e-9 / 12 / 0.1;
  EXPECT_NEAR(in_cache(4).share, 10e6 * 100 / 200 * 20e-9 / 0.1, 0.01) << "20 ns: 320 instructions of 200";
  EXPECT_EQ(in_cache(4).room, Need::Room::instructions);
  EXPECT_NEAR(in_cache(2).share, by_buffers, 0.01) << "160 instructions";
  EXPECT_NEAR(in_cache(0).share, by_buffers, 0.01) << "nobody knows";
  in_cache(4);
  EXPECT_TRUE(says(read_point(roofs, work), "irregular access to L3 probably binds it"))
      << read_point(roofs, work).verdict.text();
  work.seconds = work.seconds_lo = work.seconds_hi = 0.04;
  EXPECT_TRUE(says(read_point(roofs, work), "at the bandwidth of L3, or slower"))
      << read_point(roofs, work).verdict.text();
}

// The line fill buffers of a core have between 10 and 16 lines under way, whatever its window. Lines at
// constant distances may be prefetched.
TEST(Window, LinesOfACacheWaitForLineFillBuffers) {
  const Roofs roofs = with_chases();
  std::vector<LevelBytes> levels = {bytes("L3", 7 * 64 * 10e6, 0, 7 * 64 * 10e6), bytes("memory", 64, 0, 64)};
  const auto of_cache = [&] {
    for (const Need& need : needs_of(roofs, program(0, 1e9, 0, 0.1, levels), 0, {})) {
      if (need.limit.kind == Limit::Kind::irregular && is_cache(need.limit.level)) return need;
    }
    return Need();
  };
  const Need random = of_cache();
  EXPECT_TRUE(random.is_range && random.room == Need::Room::buffers);
  EXPECT_NEAR(random.lo, 10e6 * 20e-9 / 16 / 0.1, 1e-6);
  EXPECT_NEAR(random.share, 10e6 * 20e-9 / 12 / 0.1, 1e-6);
  EXPECT_NEAR(random.hi, 10e6 * 20e-9 / 10 / 0.1, 1e-6);
  levels.front().strided = 0.75 * levels.front().irregular;
  EXPECT_NEAR(of_cache().lo, random.lo / 4, 1e-6);
  EXPECT_NEAR(of_cache().share, random.share / 4, 1e-6);
  EXPECT_EQ(of_cache().hi, random.hi);
  levels.front() *= 50;
  EXPECT_TRUE(of_cache().is_sooner) << "in so little time, they are prefetched";
  EXPECT_EQ(of_cache().lo, 0);
}

TEST(Window, LinesOfACacheWaitBesideThoseOfTheMemory) {
  const auto time_of = [](std::vector<std::pair<NeedTime::Group, double>> needs) {
    PartNeeds part;
    for (const auto& [group, time] : needs)
      part.needs.push_back({group, "what", "what", {time, time, time, time, time}});
    return predicted_time(part, {0, 1, 1}, RoofEnd::value).seconds;
  };
  using Group = NeedTime::Group;
  EXPECT_EQ(time_of({{Group::random, 2}, {Group::random, 3}, {Group::transfer, 4}}), 5);
  EXPECT_EQ(time_of({{Group::random, 3}, {Group::random, 2}, {Group::transfer, 6}}), 6);
}

// A program that prefetches its lines is faster than its loads could be.
TEST(Window, LinesThatComeSoonerThanLoadsWaitAreAtMostPrefetched) {
  Roofs roofs = with_chases();
  add_random_loads(roofs, 700, 700);
  add_window(roofs, 224);
  Point work = point_of({function_of(7 * 150 * 10e6, 7 * 10e6)});
  work.seconds = work.seconds_lo = work.seconds_hi = 0.4 * 10e6 * 150 / 224 * 100e-9;
  work.huge_pages_percent = 100;
  const Need need = need_of(needs_of(roofs, work, 0, {}), Limit::Kind::irregular);
  EXPECT_TRUE(need.is_sooner && need.is_range);
  EXPECT_NEAR(need.lo, 7 * 10e6 / 700e6 / work.seconds, 1e-9) << "as random loads";
  EXPECT_EQ(need.hi, 1);
  const Reading reading = read_point(roofs, work);
  EXPECT_TRUE(says(reading, "only irregular access to memory may bind it")) << reading.verdict.text();
  EXPECT_TRUE(says(reading, "prefetched by the program")) << reading.verdict.text();
  EXPECT_EQ(reading.verdict.advice, "sort or partition the accesses");
  work.seconds *= 3;
  EXPECT_FALSE(need_of(needs_of(roofs, work, 0, {}), Limit::Kind::irregular).is_sooner);
  EXPECT_EQ(read_point(roofs, work).verdict.advice, "sort or partition the accesses, or prefetch");
  work.huge_pages_percent = 0;
  EXPECT_EQ(read_point(roofs, work).verdict.advice,
            "sort or partition the accesses, prefetch, or use 2 MiB pages");
}

}  // namespace
}  // namespace gable::model
