// Replays: times computed by hand, the effects of each policy, and the quality of kMAF.

#include "kmaf/replay/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <map>

#include "kmaf/traces/workloads.hpp"
#include "machines.hpp"
#include "random.hpp"
#include "tests/draws.hpp"

namespace gable::kmaf {
namespace {

PreparedTrace prepared(const std::vector<Access>& accesses) {
  return PreparedTrace([&](const PreparedTrace::Sink& sink) {
    for (const Access& access : accesses) sink(access);
  });
}

PreparedTrace prepared(const std::string& kernel, const WorkloadShape& shape) {
  for (const Workload& workload : workloads()) {
    if (kernel == workload.name)
      return PreparedTrace([&](const PreparedTrace::Sink& sink) { workload.generate(shape, sink); });
  }
  throw std::invalid_argument(kernel);
}

const PolicyEntry& policy(const std::string& name) {
  for (const PolicyEntry& entry : policies()) {
    if (name == entry.name) return entry;
  }
  throw std::invalid_argument(name);
}

ReplayOptions still() {
  ReplayOptions options;
  options.swaps_per_second = 0;
  return options;
}

TEST(PreparedTrace, CutsAccessesIntoLines) {
  const PreparedTrace trace = prepared({{4096 + 60, 9, 8, true}, {0, 5, 4, false}, {8190, 9, 4, false}});
  std::vector<Record> records;
  trace.replay(
      [&](const Record* block, std::size_t count) { records.insert(records.end(), block, block + count); });
  const std::vector<Record> expected = {make_record(0, 60, 0, true), make_record(0, 64, 0, true),
                                        make_record(1, 0, 1, false), make_record(0, 4094, 0, false),
                                        make_record(2, 0, 0, false)};
  EXPECT_EQ(records, expected);
  EXPECT_EQ(trace.threads(), 2);
  EXPECT_EQ(trace.pages(), 3u);
  EXPECT_EQ(trace.page_number(0), 1u);
  EXPECT_EQ(trace.use_of(0), (std::vector<std::pair<int, std::uint64_t>>{{0, 3}}));
}

// One thread that reads new lines of its own memory: each costs the local latency, each repetition L1's.
TEST(Replay, ASingleThreadTakesTheTimeThatIsWorkedOut) {
  std::vector<Access> accesses;
  for (std::uint64_t line = 0; line < 500; ++line) {
    accesses.push_back({line * 64, 1, 8, false});
    accesses.push_back({line * 64 + 8, 1, 8, true});
  }
  const PreparedTrace trace = prepared(accesses);
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const Outcome outcome = replay(trace, machine, policy("os"), 3, 1, still());
  EXPECT_NEAR(outcome.trace_seconds, 1e-9 * 500 * (100 + 1), 1e-15);
  EXPECT_NEAR(outcome.seconds, 3 * outcome.trace_seconds, 1e-15);
  EXPECT_EQ(outcome.link_bytes, 0);
  EXPECT_EQ(outcome.counts.l3_misses, 500u);
  EXPECT_NEAR(scale_of(trace, machine, still()) * outcome.trace_seconds, still().program_seconds, 1e-9);
}

// Threads in parallel take as long as the slowest; memory and links as long as their bytes.
TEST(Replay, BandwidthsBoundTheTime) {
  std::vector<Access> accesses;
  for (std::uint64_t line = 0; line < 512; ++line) {
    for (std::uint32_t thread = 0; thread < 4; ++thread)
      accesses.push_back({(thread << 24) + line * 64, thread, 8, false});
  }
  const PreparedTrace trace = prepared(accesses);
  auto machine = simulated_machine(test::small(), test::timing, {});
  EXPECT_NEAR(replay(trace, machine, policy("compact"), 1, 1, still()).trace_seconds, 1e-9 * 512 * 100,
              1e-15);
  machine.timing.memory_gb_per_s = 0.5;
  EXPECT_NEAR(replay(trace, machine, policy("compact"), 1, 1, still()).trace_seconds,
              1e-9 * 2 * 512 * 64 / 0.5, 1e-15)
      << "two threads a node";
}

TEST(Replay, EnergyIsTheSumOfItsParts) {
  const Energy energy{1, 2, 3, 4, 0.5, 10};
  const auto machine = simulated_machine(test::small(), test::timing, energy);
  const Outcome outcome =
      replay(prepared({{0, 1, 8, false}, {0, 1, 8, false}}), machine, policy("os"), 1, 1, still());
  EXPECT_NEAR(outcome.joules, 1e-9 * (2 * 1 + 2 + 3 + 4) + 10 * outcome.seconds, 1e-18);
}

TEST(Replay, EveryPolicyCountsEveryAccessAndRepeatsItself) {
  WorkloadShape shape{8, 16, 40000};
  const auto machine = simulated_machine(test::small(), test::timing, {});
  for (const Workload& workload : workloads()) {
    const PreparedTrace trace = prepared(workload.name, shape);
    const double scale = scale_of(trace, machine, {});
    for (const PolicyEntry& entry : policies()) {
      const Outcome one = replay(trace, machine, entry, scale, 5, {}),
                    two = replay(trace, machine, entry, scale, 5, {});
      EXPECT_EQ(one.counts.accesses, trace.records()) << entry.name;
      EXPECT_EQ(one.counts.l1_hits + one.counts.l2_hits + one.counts.l3_hits + one.counts.l3_misses,
                trace.records());
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
    const Outcome outcome = replay(trace, machine, entry, scale, 5, {});
    EXPECT_EQ(outcome.counts.accesses, trace.records()) << entry.name;
    EXPECT_TRUE(std::isfinite(outcome.seconds)) << entry.name;
  }
}

TEST(Replay, TheOraclePutsPagesWhereTheirUserRuns) {
  WorkloadShape shape{4, 16, 40000};
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const PreparedTrace trace = prepared("private", shape);
  const Outcome oracle = replay(trace, machine, policy("oracle"), 1, 1, still());
  // Everything except the initialization by thread 0.
  EXPECT_LE(oracle.counts.from_remote, 4 * 16u);
  const Outcome os = replay(trace, machine, policy("os"), 1, 1, still());
  EXPECT_GT(os.counts.from_remote, os.counts.l3_misses / 3);
}

TEST(Replay, InterleavingSpreadsPages) {
  WorkloadShape shape{4, 16, 40000};
  const auto machine = simulated_machine(test::small(), test::timing, {});
  const Outcome outcome = replay(prepared("ring", shape), machine, policy("interleave"), 1, 1, still());
  const double local = static_cast<double>(outcome.counts.from_local) /
                       static_cast<double>(outcome.counts.from_local + outcome.counts.from_remote);
  EXPECT_NEAR(local, 0.5, 0.3);
}

TEST(Workloads, ShareAsTheyShould) {
  WorkloadShape shape{16, 8, 60000};
  const auto shared = [&](const char* kernel) { return prepared(kernel, shape).sharing(); };
  const AffinityMatrix ring = shared("ring"), alone = shared("private"), blocks = shared("blocks"),
                       all = shared("all-to-all");
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < i; ++j) {
      const bool neighbours = i - j == 1 || i - j == 15;
      EXPECT_EQ(ring(i, j) > 0, neighbours) << i << " " << j;
      EXPECT_GT(all(i, j), 0u);
      if (j == 0) continue;  // initialized everything
      // All read one element before they start, and see each other there once.
      EXPECT_LE(alone(i, j), 1u);
      EXPECT_TRUE(i % 8 == j % 8 || blocks(i, j) <= 1u);
    }
  }
}

// The quality of the policies on the paper's machine; docs/results/kmaf-replay.md has figures of longer
// traces.
TEST(Replay, KmafIsGood) {
  if (!mapper().available) GTEST_SKIP() << mapper().missing;
  WorkloadShape shape;
  shape.accesses = static_cast<std::uint64_t>(tests::draws(300000, 1000000));
  const auto machine = simulated_machine(test::x7550(), {2, 4.5, 27.9, 160, 222, 12.8, 25.6}, {});
  std::map<std::string, double> gain;  // summed over the kernels
  for (const Workload& workload : workloads()) {
    const PreparedTrace trace = prepared(workload.name, shape);
    const double scale = scale_of(trace, machine, {});
    std::map<std::string, Outcome> outcome;
    for (const char* name : {"os", "oracle", "kmaf", "kmaf-threads", "kmaf-data", "compact", "random"})
      outcome[name] = replay(trace, machine, policy(name), scale, 1, {});
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
