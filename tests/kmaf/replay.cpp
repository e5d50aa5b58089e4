// Replays: times computed by hand, the effects of each policy, and the quality of kMAF.

#include "kmaf/replay/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <map>

#include "kmaf/traces/workloads.hpp"
#include "machines.hpp"
#include "replayed.hpp"
#include "tests/draws.hpp"

namespace gable::kmaf {
namespace {

// A core that waits for each miss before the next.
SimulatedMachine one_miss_at_a_time() {
  SimulatedMachine machine = simulated_machine(test::small(), test::timing, {});
  machine.pipeline.misses = 1;
  machine.pipeline.window = 1e9;
  return machine;
}

// One thread that reads and writes new lines of its own memory: each takes the local latency, in which the
// instructions are done, but for those before the first.
TEST(Replay, ASingleThreadTakesTheTimeThatIsWorkedOut) {
  std::vector<Access> accesses;
  for (std::uint64_t line = 0; line < 500; ++line) {
    accesses.push_back({line * 64, 1, 8, false});
    accesses.push_back({line * 64 + 8, 1, 8, true});
  }
  const PreparedTrace trace = prepared(accesses);
  SimulatedMachine machine = one_miss_at_a_time();
  const double first = 3 * test::timing.l1_ns / 4;
  const Outcome outcome = replayed(trace, machine, "os", 3, 1, still());
  EXPECT_NEAR(outcome.seconds, 3e-9 * (500 * 100 + first), 1e-15);
  EXPECT_EQ(outcome.link_bytes, 0);
  EXPECT_EQ(outcome.counts.misses, 500u);
  EXPECT_NEAR(scale_of(trace, machine, still()) * outcome.seconds / 3, still().program_seconds, 1e-9);
  machine.pipeline.misses = 5;
  EXPECT_NEAR(replayed(trace, machine, "os", 1, 1, still()).seconds, 1e-9 * 100 * 100, 1e-8)
      << "five at a time";
  machine.pipeline.window = 0;
  EXPECT_NEAR(replayed(trace, machine, "os", 1, 1, still()).seconds, 1e-9 * (500 * 100 + 1000 * first), 1e-9)
      << "without reordering nothing overlaps";
}

// Who is late at one barrier and early at the next costs both times.
TEST(Replay, ThreadsMeetAtBarriers) {
  ParallelProgram uneven(2), free(2);
  for (ParallelProgram* program : {&uneven, &free}) {
    for (std::uint32_t thread = 0; thread < 2; ++thread) program->access(thread, thread << 20, false, 0);
    for (std::uint32_t loop = 0; loop < 10; ++loop) {
      for (std::uint32_t thread = 0; thread < 2; ++thread) {
        program->work(thread, thread == loop % 2 ? 9000 : 1000);
        program->access(thread, thread << 20, false, 0);
      }
      if (program == &uneven) program->barrier();
    }
  }
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const auto seconds = [&](const ParallelProgram& program) {
    return replayed(prepared(program, 1), machine, "compact", 1, 1, still()).seconds;
  };
  const double ns = test::timing.l1_ns / 4;
  EXPECT_NEAR(seconds(uneven), 1e-9 * 10 * 9000 * ns, 3e-7);
  EXPECT_NEAR(seconds(free), 1e-9 * 5 * (9000 + 1000) * ns, 3e-7);
}

// Four of eight threads compute, then the other four. Packed or by what they share, those of one half are on
// the same cores; dealt to the nodes in turn, each has a core.
TEST(Replay, TheOracleTriesCoresForThreadsThatRunAtTheSameTime) {
  ParallelProgram program(8);
  for (std::uint32_t thread = 0; thread < 8; ++thread) program.access(thread, thread << 20, false, 0);
  program.barrier();
  for (std::uint32_t loop = 0; loop < 10; ++loop) {
    for (const std::uint32_t first : {0, 4}) {
      for (std::uint32_t thread = first; thread < first + 4; ++thread) {
        program.work(thread, 10'000);
        program.access(thread, thread << 20, false, 0);
      }
      program.barrier();
    }
  }
  const auto machine = two_nodes(2);
  const auto seconds = [&](const char* name) {
    return replayed(prepared(program, 1), machine, name, 1, 1, still()).seconds;
  };
  EXPECT_GT(seconds("compact"), 1.2 * seconds("oracle"));
}

// 64 threads with their own data on 64 hardware threads: wherever they are, and however long they run.
TEST(Replay, AProgramThatComputesIsTheSameUnderEveryPolicyThatBinds) {
  ParallelProgram program(64);
  for (std::uint32_t loop = 0; loop < 12; ++loop) {
    for (std::uint32_t step = 0; step < 40; ++step) {
      for (std::uint32_t thread = 0; thread < 64; ++thread) {
        program.work(thread, 2000);
        program.access(thread, (thread << 20) + step * 64, true);
      }
    }
    program.barrier();
  }
  const PreparedTrace trace = prepared(program, 0);
  EXPECT_TRUE(trace.is_looped());
  const auto machine = x7550();
  const double scale = scale_of(trace, machine, {});
  const double os = replayed(trace, machine, "os", scale, 1, {}).seconds;
  for (const char* name : {"compact", "random", "oracle", "kmaf", "kmaf-data", "autonuma"})
    EXPECT_NEAR(replayed(trace, machine, name, scale, 1, {}).seconds / os, 1, 0.01) << name;
}

// Passes whose traffic counts by their share of the program; with its message, a line takes 72 bytes and
// more.
TEST(Replay, LinksCarryWhatComesFromOtherNodes) {
  const PreparedTrace trace = prepared(pairs(6), 0);
  ASSERT_TRUE(trace.is_looped());
  ReplayOptions options = still();
  options.passes = 4;
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const Outcome outcome = replayed(trace, machine, "os", 100, 1, options);
  const auto lines = static_cast<double>(outcome.counts.from_remote);
  EXPECT_GT(lines, 0);
  EXPECT_GE(outcome.link_bytes, 72 * lines);
  EXPECT_LE(outcome.link_bytes, 80 * static_cast<double>(outcome.counts.misses + outcome.counts.write_backs));
}

// How long the program runs matters little, for management has most of its cost at the start. (AutoNUMA takes
// seconds to come to rest.)
TEST(Replay, ResultsDoNotDependOnTheProgramsLength) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  const PreparedTrace trace = prepared(pairs(12), 0);
  const auto machine = simulated_machine(test::small(), test::timing, {});
  ReplayOptions longer;
  longer.program_seconds = 150;
  std::map<std::string, std::vector<double>> ratios;
  for (const ReplayOptions& options : {ReplayOptions{}, longer}) {
    const double scale = scale_of(trace, machine, options);
    ReplayOptions bound = options;
    bound.swaps_per_second = 0;
    std::map<std::string, double> seconds;
    for (const char* name : {"os", "compact", "oracle", "kmaf"}) {
      for (const std::uint64_t seed : {1, 2})
        seconds[name] += replayed(trace, machine, name, scale, seed, bound).seconds;
    }
    for (const auto& [name, sum] : seconds) ratios[name].push_back(sum / seconds["os"]);
  }
  for (const auto& [name, both] : ratios) EXPECT_NEAR(both[0], both[1], 0.02) << name;
}

TEST(Replay, EnergyIsTheSumOfItsParts) {
  const Energy energy{1, 2, 3, 4, 0.5, 10};
  const auto machine = simulated_machine(test::small(), test::timing, energy);
  const Outcome outcome =
      replayed(prepared({{0, 1, 8, false}, {0, 1, 8, false}}), machine, "os", 1, 1, still());
  EXPECT_NEAR(outcome.joules, 1e-9 * (2 * 1 + 2 + 3 + 4) + 10 * outcome.seconds, 1e-18);
}

TEST(Replay, EveryPolicyCountsEveryAccessAndRepeatsItself) {
  WorkloadShape shape{8, 16, 15000};
  const auto machine = simulated_machine(test::small(), test::timing, {});
  for (const Workload& workload : workloads()) {
    const PreparedTrace trace = prepared(workload.name, shape);
    ReplayOptions options;
    options.program_seconds = 1;
    const double scale = scale_of(trace, machine, options);
    for (const PolicyEntry& entry : policies()) {
      const Outcome one = replayed(trace, machine, entry.name, scale, 5, options),
                    two = replayed(trace, machine, entry.name, scale, 5, options);
      EXPECT_EQ(one.counts.accesses, trace.steady_accesses()) << entry.name;
      const std::uint64_t hits = one.counts.l1_hits + one.counts.l2_hits + one.counts.l3_hits;
      EXPECT_NEAR(static_cast<double>(hits + one.counts.misses), static_cast<double>(trace.steady_accesses()),
                  2)
          << "four rounded means of passes";
      EXPECT_EQ(one.seconds, two.seconds) << entry.name;
      EXPECT_EQ(one.link_bytes, two.link_bytes) << entry.name;
      EXPECT_GT(one.seconds, 0);
    }
  }
}

// Threads that have not started have no place and pay no costs.
TEST(Replay, ThreadsMayStartAtTheEnd) {
  const auto access_of = [](std::uint64_t thread, std::uint64_t address, bool write) {
    Access access;
    access.address = address;
    access.tid = static_cast<decltype(access.tid)>(thread);
    access.bytes = 8;
    access.write = write;
    return access;
  };
  std::vector<Access> accesses;
  for (std::uint64_t i = 0; i < 60000; ++i)
    accesses.push_back(access_of(i % 4, 4096 * (i % 97) + 8 * (i % 7), i % 3 == 0));
  for (std::uint64_t thread = 4; thread < 64; ++thread) accesses.push_back(access_of(thread, 4096, true));
  const PreparedTrace trace = prepared(accesses);
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const double scale = scale_of(trace, machine, {});
  for (const PolicyEntry& entry : policies()) {
    const Outcome outcome = replayed(trace, machine, entry.name, scale, 5, {});
    EXPECT_EQ(outcome.counts.accesses, trace.accesses()) << entry.name;
    EXPECT_TRUE(std::isfinite(outcome.seconds)) << entry.name;
  }
}

TEST(Replay, TheOraclePutsPagesWhereTheirUserRuns) {
  WorkloadShape shape{4, 16, 40000};
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const PreparedTrace trace = prepared("private", shape);
  const Outcome oracle = replayed(trace, machine, "oracle", 1, 1, still());
  // Everything except the initialization by thread 0.
  EXPECT_LE(oracle.counts.from_remote, 4 * 16u);
  const Outcome os = replayed(trace, machine, "os", 1, 1, still());
  EXPECT_GT(os.counts.from_remote, os.counts.misses / 3);
}

// Pages that all threads use alike: one node's memory would have to serve all.
TEST(Replay, TheOracleSpreadsPagesThatAllUse) {
  std::vector<Access> accesses;
  constexpr std::uint64_t lines = 64 * 64;
  for (std::uint64_t line = 0; line < lines; ++line) accesses.push_back({line * 64, 0, 8, true});
  for (std::uint64_t step = 0; step < 4 * lines; ++step) {
    for (std::uint32_t thread = 0; thread < 4; ++thread)
      accesses.push_back({(step + thread * (lines / 4 + 64)) % lines * 64, thread, 8, false});
  }
  auto machine = two_nodes(2);
  for (Memory& memory : machine.memories) memory.figures.memory_gb_per_s = 0.5;
  const auto seconds = [&](const char* name) {
    return replayed(prepared(accesses), machine, name, 1, 1, still()).seconds;
  };
  EXPECT_LT(seconds("oracle"), 0.7 * seconds("compact"));
}

// Threads packed in order are among what it tries, each mapping with every way to place pages.
TEST(Replay, TheOracleTriesThreadsAndPagesTogether) {
  const auto machine = simulated_machine(test::small(), test::timing, {});
  for (const Workload& workload : workloads()) {
    const PreparedTrace trace = prepared(workload.name, {8, 16, 80000});
    const double scale = scale_of(trace, machine, still()),
                 best = replayed(trace, machine, "oracle", scale, 1, still()).seconds;
    EXPECT_LE(best, replayed(trace, machine, "compact", scale, 1, still()).seconds) << workload.name;
    ReplayOptions packed = still();
    for (int thread = 0; thread < 8; ++thread) packed.mapping.push_back(thread % 4);
    for (const OraclePages pages :
         {OraclePages::most_accesses, OraclePages::first_touch, OraclePages::interleaved}) {
      packed.pages = pages;
      EXPECT_LE(best, replay(trace, machine, oracle_policy(), scale, 1, packed).seconds) << workload.name;
    }
  }
}

// Hidden pages are found by the threads that access them at that time, not earlier or later in the program.
TEST(Replay, PagesAreSampledInThePartThatRuns) {
  constexpr std::uint64_t pages = 64, half = 400000;
  std::vector<Access> accesses;
  for (std::uint64_t i = 0; i < 2 * half; ++i) {
    const std::uint64_t line = i * 64 % (pages * 4096), own = (1 + i % 4) << 30;
    const std::uint32_t user = i < half ? 0 : 3;
    const auto thread = static_cast<std::uint32_t>(i % 4);
    accesses.push_back({thread == user ? line : own + line, thread, 8, true});
  }
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const PreparedTrace trace = prepared(accesses);
  const double scale = scale_of(trace, machine, still());
  const Outcome os = replayed(trace, machine, "os", scale, 1, still());
  const Outcome moved = replayed(trace, machine, "kmaf-data", scale, 1, still());
  EXPECT_LT(moved.counts.from_remote, os.counts.from_remote / 3);
}

TEST(Replay, InterleavingSpreadsPages) {
  WorkloadShape shape{4, 16, 40000};
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const Outcome outcome = replayed(prepared("ring", shape), machine, "interleave", 1, 1, still());
  const double local = static_cast<double>(outcome.counts.from_local) /
                       static_cast<double>(outcome.counts.from_local + outcome.counts.from_remote);
  EXPECT_NEAR(local, 0.5, 0.3);
}

// The quality of the policies on the paper's machine; docs/results/kmaf-replay.md has figures of longer
// traces.
TEST(Replay, KmafIsGood) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  WorkloadShape shape;
  shape.accesses = static_cast<std::uint64_t>(tests::draws(100000, 1000000));
  const auto machine = x7550();
  std::map<std::string, double> gain;  // summed over the kernels
  for (const Workload& workload : workloads()) {
    const PreparedTrace trace = prepared(workload.name, shape);
    const double scale = scale_of(trace, machine, {});
    std::map<std::string, Outcome> outcome;
    for (const char* name : {"os", "oracle", "kmaf", "kmaf-threads", "kmaf-data", "compact", "random"})
      outcome[name] = replayed(trace, machine, name, scale, 1, {});
    for (const auto& [name, run] : outcome) gain[name] += 1 - run.seconds / outcome["os"].seconds;
    EXPECT_LE(outcome["kmaf"].seconds, 1.02 * outcome["os"].seconds) << workload.name;
    EXPECT_LE(outcome["kmaf"].overhead_percent, 1.1) << workload.name;
  }
  EXPECT_GE(gain["kmaf"], 0.9 * gain["oracle"]);
  EXPECT_GE(gain["kmaf"], gain["kmaf-threads"] + gain["kmaf-data"]) << "together more than the sum";
  EXPECT_GE(gain["kmaf"], gain["compact"]);
  EXPECT_GE(gain["kmaf"], gain["random"]);
}

}  // namespace
}  // namespace gable::kmaf
