// Replays on Knights Landing: memory nodes without cores, and what each policy does with them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "kmaf/replay/replay.hpp"
#include "replayed.hpp"

namespace gable::kmaf {
namespace {

constexpr int threads = 64;
constexpr std::uint64_t pages_of_thread = 160;  // beyond an L2, of which a line a page uses every 64th set
constexpr double line_bytes = 64;

// Every thread reads a line of each of its pages, which it, or the first thread, has touched.
ParallelProgram reading(bool first_touches, int loops) {
  ParallelProgram program(threads);
  const auto address = [&](std::uint32_t thread, std::uint64_t page) {
    return (1 + thread * pages_of_thread + page) * 4096;
  };
  for (std::uint32_t thread = 0; thread < threads; ++thread) program.access(thread, thread, false);
  for (std::uint64_t page = 0; page < pages_of_thread; ++page) {
    for (std::uint32_t thread = 0; thread < threads; ++thread)
      program.access(first_touches ? 0 : thread, address(thread, page), false);
  }
  program.barrier();
  for (int loop = 0; loop < loops; ++loop) {
    for (std::uint64_t page = 0; page < pages_of_thread; ++page) {
      for (std::uint32_t thread = 0; thread < threads; ++thread)
        program.access(thread, address(thread, page), false);
    }
    program.barrier();
  }
  return program;
}

std::map<int, double> lines_by_node(const Outcome& outcome) {
  std::map<int, double> lines;
  for (const model::NodeAccess& access : outcome.access) lines[access.node] += access.load / line_bytes;
  return lines;
}

double sum(const std::map<int, double>& nodes) {
  double all = 0;
  for (const auto& [node, lines] : nodes) all += lines;
  return all;
}

const std::set<int> dram = {0, 2, 4, 6}, fast = {1, 3, 5, 7};

double share_of(const Outcome& outcome, const std::set<int>& nodes) {
  const std::map<int, double> lines = lines_by_node(outcome);
  double in = 0;
  for (const auto& [node, of_node] : lines) in += nodes.contains(node) ? of_node : 0;
  return in / sum(lines);
}

TEST(ReplayTiers, MemoryNodesWithoutCoresAreHomes) {
  const SimulatedMachine machine = knights_landing();
  ASSERT_FALSE(machine.has_l3);
  EXPECT_EQ(machine.cores_of_l2, 2);
  ASSERT_EQ(machine.memories.size(), 8u);
  EXPECT_TRUE(machine.unused.empty());
  for (std::size_t i = 0; i < 8; ++i) {
    const Memory& memory = machine.memories[i];
    EXPECT_EQ(memory.node, i < 4 ? 2 * i : 2 * (i - 4) + 1);
    EXPECT_EQ(memory.link, static_cast<int>(i % 4));
    for (std::size_t node = 0; node < 4; ++node) EXPECT_EQ(memory.local[node], node == i % 4);
    EXPECT_EQ(machine.is_fast(memory), i >= 4);
  }
  const std::vector<std::int16_t> home = {0, 4, 5};
  MemorySystem memory(machine, home);
  EXPECT_EQ(memory.access(0, line_of(0, 0, 0), false), 143);
  EXPECT_EQ(memory.access(0, line_of(1, 1, 0), false), 170) << "its MCDRAM";
  EXPECT_EQ(memory.access(0, line_of(2, 2, 0), false), 179) << "that of another cluster";
  EXPECT_EQ(memory.counts().from_local, 2u);
  EXPECT_EQ(memory.counts().from_remote, 1u);
}

// The accesses of a point are what the simulated memories counted.
TEST(ReplayTiers, AccessesAreWhatTheMemorySystemCounts) {
  const SimulatedMachine machine = knights_landing();
  const PreparedTrace trace = prepared(reading(true, 4), 0);
  for (const char* name : {"os", "interleave", "kmaf", "oracle"}) {
    if (!mapper().available && std::string(name) == "kmaf") continue;
    const Outcome outcome = replayed(trace, machine, name, 100, 1, {});
    double local = 0, remote = 0;
    for (const model::NodeAccess& access : outcome.access)
      (access.node / 2 == access.cluster ? local : remote) += access.load / line_bytes;
    EXPECT_NEAR(local, static_cast<double>(outcome.counts.from_local), 2) << name;
    EXPECT_NEAR(remote, static_cast<double>(outcome.counts.from_remote), 2) << name;
    EXPECT_EQ(outcome.counts.from_cache + outcome.counts.from_local + outcome.counts.from_remote,
              outcome.counts.misses)
        << name;
  }
}

TEST(ReplayTiers, PoliciesPlacePagesAsOnTheMachine) {
  const SimulatedMachine machine = knights_landing();
  const PreparedTrace trace = prepared(reading(false, 4), 0);
  ReplayOptions options = still();
  EXPECT_EQ(share_of(replayed(trace, machine, "os", 100, 1, options), dram), 1) << "first touch";
  EXPECT_NEAR(share_of(replayed(trace, machine, "interleave", 100, 1, options), fast), 0.5, 0.01);
  if (mapper().available) {
    EXPECT_EQ(share_of(replayed(trace, machine, "kmaf", 100, 1, options), dram), 1)
        << "it moves pages among the nodes with cores";
  }
  const Outcome best = replayed(trace, machine, "oracle", 100, 1, options);
  EXPECT_EQ(share_of(best, fast), 1);
  EXPECT_EQ(best.counts.from_remote, 0u);
}

// Where the oracle puts each page, with threads packed in order.
std::vector<int> homes_by_oracle(const PreparedTrace& trace, const SimulatedMachine& machine,
                                 OraclePages pages) {
  ReplayOptions options;
  for (int thread = 0; thread < threads; ++thread) options.mapping.push_back(4 * thread);
  options.pages = pages;
  Placement placement{options.mapping, std::vector<std::int16_t>(trace.pages(), -1), {}};
  std::mt19937_64 random(1);
  std::vector<double> owed, ran;
  std::vector<std::pair<int, int>> moved;
  const int piece = -1;
  const auto oracle =
      oracle_policy().make({machine, trace, options, placement, random, owed, ran, moved, piece});
  std::vector<int> homes;
  for (std::uint64_t page = 0; page < trace.pages(); ++page) homes.push_back(oracle->first_home(page, 0));
  return homes;
}

// Pages beyond what the fast memory has room for lie where they do without it.
TEST(ReplayTiers, TheOracleFillsFastMemoryWithTheHottestPages) {
  constexpr std::uint64_t hot = 10;  // pages of a thread that are read more often
  ParallelProgram program = reading(false, 2);
  for (std::uint64_t page = 0; page < hot; ++page) {
    for (std::uint32_t thread = 0; thread < threads; ++thread)
      program.access(thread, (1 + thread * pages_of_thread + 7 * page) * 4096 + 64, false);
  }
  program.barrier();
  const PreparedTrace trace = prepared(program, 0);
  MemoryFigures small = mcdram;
  small.bytes = (hot * threads / 4 - 3) * 4096;
  const SimulatedMachine machine = knights_landing(small);
  std::uint64_t most = 0;
  for (std::uint64_t page = 0; page < trace.pages(); ++page) {
    for (const auto& [thread, count] : trace.use_of(page)) most = std::max<std::uint64_t>(most, count);
  }
  const std::vector<int> alone = homes_by_oracle(trace, machine, OraclePages::most_accesses);
  std::vector<std::uint64_t> on(machine.memories.size());
  const std::vector<int> homes = homes_by_oracle(trace, machine, OraclePages::fast_by_accesses);
  for (std::uint64_t page = 0; page < trace.pages(); ++page) {
    ++on[index(homes[page])];
    if (homes[page] < 4) {
      EXPECT_EQ(homes[page], alone[page]);
      continue;
    }
    const auto& [thread, count] = *trace.use_of(page).begin();
    EXPECT_EQ(count, most) << "a page in fast memory is of the hottest";
    EXPECT_EQ(homes[page] - 4, static_cast<int>(thread) / 16) << "beside its thread";
  }
  for (std::size_t memory = 4; memory < 8; ++memory)
    EXPECT_EQ(on[memory], small.bytes / 4096) << "it is full";
}

TEST(ReplayTiers, NodesWithoutFiguresGetNoPages) {
  Timing timing{3, 13, 0, 143, 147, 100, 40};
  timing.core_transfer_ns = 90;
  const SimulatedMachine machine = simulated_machine(
      machines::from_xml(GABLE_SOURCE_DIR "/machines/knl-snc4-flat/topology.xml"), timing, {});
  EXPECT_EQ(machine.unused, (std::vector<unsigned>{1, 3, 5, 7}));
  const PreparedTrace trace = prepared(reading(false, 2), 0);
  for (const char* name : {"random", "interleave", "oracle"})
    EXPECT_EQ(share_of(replayed(trace, machine, name, 100, 1, still()), dram), 1) << name;
}

}  // namespace
}  // namespace gable::kmaf
