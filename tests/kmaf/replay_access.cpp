// Which cluster accesses which memory in a replay, and the verdicts of points with these accesses: what the
// simulated memory system counts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "kmaf/replay/replay.hpp"
#include "kmaf/replay/result.hpp"
#include "model/points/binding.hpp"
#include "replayed.hpp"
#include "tests/model/joe0.hpp"

namespace gable::kmaf {
namespace {

constexpr double line = 64;

// Lines of all clusters.
struct Lines {
  double read = 0, local = 0, written = 0;  // local: read from the cluster's own node
};

Lines lines_of(const Outcome& outcome) {
  Lines lines;
  for (const model::NodeAccess& access : outcome.access) {
    lines.read += access.load / line;
    lines.written += access.store / line;
    if (access.cluster == access.node) lines.local += access.load / line;
  }
  return lines;
}

// Each thread reads pages that are interleaved over two nodes, and writes every other line.
TEST(ReplayAccess, KnownSharesAreFound) {
  std::vector<Access> accesses;
  for (std::uint64_t at = 0; at < 4096; ++at) {
    for (std::uint32_t thread = 0; thread < 4; ++thread)
      accesses.push_back({(std::uint64_t{thread} << 30) + at * 64, thread, 8, false});
  }
  const Outcome outcome = replayed(prepared(accesses, 1), two_nodes(2), "interleave", 1, 1, still());
  ASSERT_EQ(outcome.access.size(), 4u);
  for (const model::NodeAccess& access : outcome.access) {
    EXPECT_EQ(access.load, 4096 * line) << access.cluster << " " << access.node;
    EXPECT_EQ(access.store, 0);
  }
}

TEST(ReplayAccess, TheyAreWhatTheMemorySystemCounts) {
  const PreparedTrace trace = prepared("ring", {8, 64, 60000});
  const SimulatedMachine machine = two_nodes(4);
  for (const char* name : {"os", "random", "kmaf-data"}) {
    const Outcome outcome = replayed(trace, machine, name, 2, 3, {});
    const Lines lines = lines_of(outcome);
    EXPECT_NEAR(lines.read, static_cast<double>(outcome.counts.from_local + outcome.counts.from_remote), 2)
        << name;
    EXPECT_NEAR(lines.local, static_cast<double>(outcome.counts.from_local), 2) << name;
    EXPECT_NEAR(lines.written, static_cast<double>(outcome.counts.write_backs), 2) << name;
  }
}

model::Roofs joe0_roofs() {
  model::Roofs roofs = model::joe0::roofs();
  std::erase_if(roofs.roofs, [](const model::Roof& roof) { return roof.spec.cluster != 0; });
  for (int cluster = 0; cluster < 4; ++cluster) {
    roofs.machine_cores[cluster] = 7;
    roofs.machine_nodes[cluster] = {cluster};
    roofs.machine_tiers[cluster] = model::Tier::dram;
  }
  return roofs;
}

// What limits the program by the memory system's own counts: "contended 3", "local", "congested", "mixed".
std::string counted(const Outcome& outcome) {
  constexpr double nearly = 0.02;
  const double local = static_cast<double>(outcome.counts.from_local),
               share = local / (local + static_cast<double>(outcome.counts.from_remote));
  std::map<int, double> nodes;
  double all = 0;
  for (const model::NodeAccess& access : outcome.access) {
    nodes[access.node] += access.load + access.store;
    all += access.load + access.store;
  }
  const auto busiest = std::ranges::max_element(nodes, {}, [](const auto& node) { return node.second; });
  if (busiest->second > (1 - nearly) * all) return "contended " + std::to_string(busiest->first);
  if (share > 1 - nearly) return "local";
  const double even = 1.0 / static_cast<double>(nodes.size());
  return busiest->second < (even + nearly) * all && std::abs(share - even) < nearly ? "congested" : "mixed";
}

std::string verdict_of(const model::Reading& reading) {
  const model::Limit& limit = reading.limit;
  if (reading.roof.empty()) return "none";
  if (limit.kind == model::Limit::Kind::hybrid) return "mixed";
  if (limit.pattern == model::Pattern::contended) return "contended " + std::to_string(limit.node);
  return name_of(limit.pattern);
}

// A point that is as fast as the simulated memories were.
model::Point point_of(const Outcome& outcome, double scale) {
  model::Point point;
  point.name = "simulated";
  point.cluster = -1;
  point.alone = false;
  point.threads = 28;
  point.simulated = true;
  point.seconds = point.seconds_lo = point.seconds_hi = outcome.seconds;
  point.access = outcome.access;
  point.access_source = model::AccessSource::replay;
  for (model::NodeAccess& access : point.access) {
    access.load *= scale;
    access.store *= scale;
    point.load_bytes += access.load / 8;  // the kernels use 8 bytes of each line
  }
  return point;
}

TEST(ReplayAccess, VerdictsAreThoseOfTheSimulatedMemories) {
  const SimulatedMachine machine =
      simulated_machine(machines::from_xml(GABLE_SOURCE_DIR "/machines/joe0/topology.xml"),
                        {1.3, 5, 20, 90, 220, 19.7, 36.1}, {});
  const model::Roofs roofs = joe0_roofs();
  std::set<std::string> seen;
  for (const char* kernel : {"private", "blocks"}) {
    const PreparedTrace trace = prepared(kernel, {28, 192, 20000});
    const double scale = scale_of(trace, machine, {});
    for (const PolicyEntry& entry : policies()) {
      const Outcome outcome = replayed(trace, machine, entry.name, scale, 1, {});
      const model::Reading reading = model::read_point(roofs, point_of(outcome, scale));
      EXPECT_EQ(verdict_of(reading), counted(outcome))
          << kernel << ", " << entry.name << ": " << reading.roof << ": " << reading.verdict.text();
      seen.insert(counted(outcome).substr(0, 5));
    }
  }
  EXPECT_EQ(seen, (std::set<std::string>{"conte", "local", "conge", "mixed"}));
}

}  // namespace
}  // namespace gable::kmaf
