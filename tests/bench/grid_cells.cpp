// The hybrid grid on many machines: the pairs of memories, and the order of cells.

#include "bench/plan/grid_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "bench/buffers/page_mix.hpp"
#include "bench/plan/pairs.hpp"
#include "bench/plan/patterns.hpp"
#include "kernels/kernel.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::options_of;
using gable::bench::tests::sockets;
using gable::machines::Cluster;
using gable::machines::from_xml;
using gable::machines::Machine;
using gable::machines::Node;
using gable::model::Case;
using gable::model::Pattern;

std::vector<Case> grid(const Machine& machine, const char* preset) {
  std::vector<Case> cells;
  for (const auto& run : make_plan(machine, {}, options_of(preset, {"pattern=hybrid"})).runs) {
    if (run.cases.front().pattern == Pattern::hybrid && run.skip.empty()) cells.push_back(run.cases.front());
  }
  return cells;
}

TEST(Pairs, AreLocalWhereThereAreTwoLocalNodes) {
  for (const std::string& path : tests::topologies()) {
    const Machine machine = from_xml(path);
    for (const int most : {1, 2, 4}) {
      std::map<int, int> count;
      std::set<std::tuple<int, unsigned, unsigned>> once;
      for (const Pair& pair : pairs(machine, most)) {
        SCOPED_TRACE(path + " cluster " + std::to_string(pair.cluster));
        const Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(pair.cluster));
        EXPECT_TRUE(is_local_to(cluster, pair.node.os_index));
        EXPECT_EQ(is_local_to(cluster, pair.other.os_index), cluster.nodes.size() > 1);
        EXPECT_NE(pair.node.os_index, pair.other.os_index);
        EXPECT_TRUE(once.insert({pair.cluster, pair.node.os_index, pair.other.os_index}).second);
        EXPECT_LE(++count[pair.cluster], most);
      }
      EXPECT_EQ(once.empty(), !no_pair(machine).empty()) << path;
    }
  }
}

TEST(Pairs, TheKnlPairsEachDramWithItsMcdram) {
  const std::string path = GABLE_SOURCE_DIR "/../shared/topologies/64intel64-fakeKNL-SNC4-hybrid.xml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const auto found = pairs(from_xml(path), 4);
  ASSERT_EQ(found.size(), 4u);
  for (const Pair& pair : found) {
    EXPECT_EQ(pair.node.tier, gable::model::Tier::dram);
    EXPECT_EQ(pair.other.tier, gable::model::Tier::hbm);
    EXPECT_EQ(pair.node.local_to, pair.other.local_to);
  }
}

TEST(Pairs, AnotherTierComesFirstThenTheNearest) {
  Machine machine = sockets(4, 2);
  machine.distances = {{10, 21, 31, 16}, {21, 10, 16, 31}, {31, 16, 10, 21}, {16, 31, 21, 10}};
  const auto near = pairs(machine, 1);
  ASSERT_EQ(near.size(), 4u);
  const unsigned expected[] = {3, 2, 1, 0};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(near[i].other.os_index, expected[i]);
  Node far;
  far.os_index = 4;
  far.tier = gable::model::Tier::cxl;
  far.bytes = 1u << 30;
  machine.nodes.push_back(far);
  for (std::vector<double>& row : machine.distances) row.push_back(50);
  machine.distances.push_back({50, 50, 50, 50, 10});
  for (const Pair& pair : pairs(machine, 1)) EXPECT_EQ(pair.other.os_index, 4u);
}

TEST(Grid, OneNodeIsSkippedWithAReason) {
  const Plan plan = make_plan(sockets(1, 4), {}, options_of("full"));
  int found = 0;
  for (const auto& run : plan.runs) {
    if (run.cases.front().pattern != Pattern::hybrid) continue;
    EXPECT_NE(sentence(run.skip).find("one memory node"), std::string::npos) << sentence(run.skip);
    ++found;
  }
  EXPECT_EQ(found, 1);
}

// All clusters take part, each with two of its own nodes.
TEST(Grid, AllClustersAtOnceUseTheirOwnMemories) {
  const std::map<std::string, std::size_t> cells = {{"quick", 0}, {"standard", 9}, {"full", 9 * 7 * 2}};
  for (const std::string& path : tests::topologies()) {
    const Machine machine = from_xml(path);
    for (const auto& [preset, count] : cells) {
      SCOPED_TRACE(path + " " + preset);
      const std::size_t at_once = pairs_at_once(machine, find_preset(preset)->grid_pairs).size();
      if (preset == "quick" || at_once == 0) continue;
      const Plan plan = make_plan(machine, {}, options_of(preset.c_str(), {"pattern=hybrid_all"}));
      EXPECT_EQ(plan.runs.size(), count * at_once);
      for (const auto& run : plan.runs) {
        EXPECT_GT(run.cases.size(), 1u);
        EXPECT_EQ(run.cases.front().node_weight, 0);
        for (const Case& spec : run.cases) {
          const Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(spec.cluster));
          EXPECT_TRUE(is_local_to(cluster, static_cast<unsigned>(spec.node)));
          EXPECT_TRUE(is_local_to(cluster, static_cast<unsigned>(spec.other_node)));
          EXPECT_EQ(spec.node_percent, run.cases.front().node_percent);
        }
      }
    }
  }
}

TEST(Grid, TheSpotCheckOfAllClustersTakesLittleTime) {
  const Machine machine = from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/four-tiers.xml");
  const Plan all = make_plan(machine, {}, options_of("standard"));
  const Plan spots = make_plan(machine, {}, options_of("standard", {"pattern=hybrid_all"}));
  EXPECT_LT(spots.seconds, 0.05 * all.seconds);
}

TEST(Grid, SaysWhyThereIsNoneOfAllClusters) {
  EXPECT_FALSE(no_pairs_at_once(sockets(1, 4)).empty());
  EXPECT_FALSE(no_pairs_at_once(sockets(2, 4)).empty()) << "each has one node of its own";
  EXPECT_TRUE(no_pairs_at_once(from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/cpuless.xml")).empty());
}

// Every level is twice as dense as the previous one, contains both ends, and is symmetric.
TEST(Grid, SharesAreADyadicRefinement) {
  for (int level = 0; level <= 4; ++level) {
    const auto shares = grid_shares(level);
    ASSERT_EQ(shares.size(), (1u << level) + 1);
    std::vector<int> percents;
    for (const GridShare& share : shares) percents.push_back(share.percent);
    for (const int percent : percents) EXPECT_NE(std::ranges::find(percents, 100 - percent), percents.end());
    std::ranges::sort(percents);
    for (std::size_t i = 0; i < percents.size(); ++i) {
      EXPECT_LE(std::abs(percents[i] - 100.0 * static_cast<double>(i) / (1 << level)), 1);
    }
    if (level == 0) continue;
    for (std::size_t i = 1; i < shares.size(); ++i) EXPECT_GE(shares[i].level, shares[i - 1].level);
  }
}

// Both directions, no duplicates, no 1:1, and distances of the shares as documented in the header.
TEST(Grid, WeightsAreSymmetricAndGetDenser) {
  double widest_before = 1;
  for (int level = 2; level <= 4; ++level) {
    std::set<double> shares = {0, 0.5, 1};
    for (const GridWeights& weights : grid_weights(level)) {
      EXPECT_EQ(std::gcd(weights.node, weights.other), 1);
      EXPECT_LE(std::max(weights.node, weights.other), 255);
      EXPECT_TRUE(shares.insert(weights.node / double(weights.node + weights.other)).second);
    }
    double widest = 0, before = 0;
    for (const double share : shares) {
      EXPECT_TRUE(std::ranges::any_of(shares, [&](double s) { return std::abs(1 - s - share) < 1e-9; }));
      widest = std::max(widest, share - before);
      before = share;
    }
    EXPECT_LT(widest, widest_before);
    widest_before = widest;
  }
  EXPECT_LT(widest_before, 0.112);
  EXPECT_TRUE(grid_weights(1).empty());
}

TEST(Grid, OperationsStoreWithoutTheCaches) {
  std::set<double> shares;
  for (const GridOperation& operation : grid_operations(4)) {
    const auto* kernel = gable::kernels::find(operation.op, "avx2");
    ASSERT_NE(kernel, nullptr) << operation.op;
    EXPECT_EQ(kernel->store_bytes > 0, operation.op.ends_with("_nt")) << operation.op;
    EXPECT_TRUE(shares.insert(kernel->load_bytes / double(kernel->load_bytes + kernel->store_bytes)).second);
  }
  EXPECT_TRUE(shares.contains(0) && shares.contains(1) && shares.contains(0.5));
}

TEST(Grid, DensityGrowsWithThePresetAndWithClustersAlone) {
  std::size_t before = 0;
  for (const char* name : {"quick", "standard", "full"}) {
    const Preset& preset = *find_preset(name);
    const std::size_t two = grid(sockets(2, 4), name).size();
    EXPECT_GT(two, before);
    before = two;
    const std::size_t cells = two / 2;  // of one pair, whatever its pages
    for (const int nodes : {4, 8, 16}) {
      const auto pairs = static_cast<std::size_t>(std::min(preset.grid_pairs, nodes - 1));
      EXPECT_EQ(grid(sockets(nodes, 4), name).size(), cells * pairs * static_cast<std::size_t>(nodes));
    }
  }
}

TEST(Grid, CoarseCellsComeFirst) {
  const Plan plan = make_plan(sockets(2, 4), {}, options_of("standard", {"pattern=hybrid"}));
  std::size_t ends = 0;
  bool other = false;
  for (const auto& run : plan.runs) {
    const Case& spec = run.cases.front();
    const bool end = spec.node_percent == 0 || spec.node_percent == 100;
    EXPECT_FALSE(end && other) << "an end comes after the inside";
    ends += end;
    other = other || !end;
  }
  EXPECT_EQ(ends, 2u * 2u * 10u);
}

TEST(Grid, OfOnePairAllCellsHaveTheSameSizeBeyondTheCaches) {
  for (const Machine& machine : {sockets(2, 4), sockets(2, 64)}) {
    std::map<std::string, std::uint64_t> sizes;
    for (const Case& spec : grid(machine, "full")) {
      const Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(spec.cluster));
      const auto [found, is_new] = sizes.try_emplace(name_of(spec.pages), spec.bytes);
      EXPECT_EQ(found->second, spec.bytes);
      EXPECT_GE(spec.bytes, memory_working_set(cluster, spec.threads, 0));
      EXPECT_EQ(spec.threads, static_cast<int>(cluster.cores.size()));
    }
    EXPECT_EQ(sizes.size(), 2u);
  }
}

// With huge pages too, every stream can have the requested shares, within half a page.
TEST(Grid, SharesFitTheStreams) {
  for (const Case& spec : grid(sockets(2, 64), "full")) {
    const std::uint64_t page_bytes = spec.pages == *gable::model::pages_named("2m") ? 2u << 20 : 4096;
    const auto layout =
        mixed_layout(*gable::kernels::named(spec.kernel), spec.bytes, page_bytes, spec.node_percent);
    for (const auto& stream : layout.streams) {
      if (stream.bytes == 0) continue;
      const double first =
          static_cast<double>(stream.mix.alternating / 2) +
          (stream.mix.rest_on_first ? static_cast<double>(stream.mix.pages - stream.mix.alternating) : 0.0);
      EXPECT_NEAR(100 * first / static_cast<double>(stream.mix.pages), spec.node_percent, 6.3) << key(spec);
      EXPECT_GE(stream.mix.pages, 8u) << key(spec);
    }
  }
}

}  // namespace
