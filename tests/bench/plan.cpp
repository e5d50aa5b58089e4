// The plan for many machines: every cluster, and every pair of cluster and node, has its cells, in their
// order.

#include "bench/schedule/make_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "kernels/kernel.hpp"
#include "machines.hpp"
#include "model/domain/latency_class.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::options_of;
using gable::bench::tests::sockets;
using gable::bench::tests::zoo;
using gable::machines::Cluster;
using gable::machines::from_xml;
using gable::machines::Machine;
using gable::machines::Node;
using gable::model::Case;
using gable::model::Kind;
using gable::model::Level;
using gable::model::Pattern;

int count(const Plan& plan, const std::function<bool(const Case&)>& like) {
  int found = 0;
  for (const auto& run : plan.runs) {
    for (const Case& spec : run.cases) found += like(spec) && run.skip.empty();
  }
  return found;
}

// The common reason why no run of the pattern can be measured; empty if some can, or if reasons differ.
std::string skip_of(const Plan& plan, Pattern pattern) {
  std::set<std::string> reasons;
  for (const auto& run : plan.runs) {
    if (run.cases.front().pattern == pattern) reasons.insert(sentence(run.skip));
  }
  return reasons.size() == 1 ? *reasons.begin() : "";
}

// `level`: "memory", or that of the memory-side cache which holds the usual working sets.
void expect_cells(const Plan& plan, const Cluster& cluster, const Node& node, const Level& level) {
  const bool local = std::ranges::find(cluster.nodes, node.os_index) != cluster.nodes.end();
  const int all = static_cast<int>(pus_of(cluster, 0, false).size());
  const auto cells = [&](Pattern pattern, Kind kind, const std::string& op, const std::string& pages) {
    return count(plan, [&](const Case& c) {
      return c.cluster == cluster.index && c.node == static_cast<int>(node.os_index) && c.level == level &&
             c.pattern == pattern && c.kind == kind && c.threads == (kind == Kind::latency ? 1 : all) &&
             c.op.name() == op && name_of(c.pages) == pages &&
             (c.tier == node.tier || level != Level::memory());
    });
  };
  const Pattern here = local ? Pattern::local : Pattern::remote,
                other = local ? Pattern::remote : Pattern::local;
  for (const char* op : {"load", "store", "store_nt", "mix2_1"}) {
    const int ways = op == std::string("load") ? 2 : 1;
    EXPECT_EQ(cells(here, Kind::bandwidth, op, "2m"), ways) << op;
    EXPECT_EQ(cells(other, Kind::bandwidth, op, "2m"), 0) << op;
  }
  for (const char* pages : {"2m", "4k"}) {
    EXPECT_EQ(cells(here, Kind::latency, "chase", pages), 1) << pages;
    EXPECT_EQ(cells(other, Kind::latency, "chase", pages), 0) << pages;
    EXPECT_EQ(cells(here, Kind::random, "random", pages), 1) << pages;
    EXPECT_EQ(cells(other, Kind::random, "random", pages), 0) << pages;
  }
  const int alone = count(plan, [&](const Case& c) {
    return c.kind == Kind::random && c.cluster == cluster.index && c.threads == 1 &&
           c.node == static_cast<int>(node.os_index);
  });
  EXPECT_EQ(alone, 2) << "random loads of one thread, in two sizes of pages";
}

TEST(Plan, EveryClusterHasBranchesOfBothOutcomes) {
  for (const Machine& machine : zoo()) {
    const Plan plan = make_plan(machine, {}, options_of("quick"));
    for (const auto& cluster : machine.clusters) {
      for (const auto& op :
           {gable::model::operations::branch_random, gable::model::operations::branch_steady}) {
        const int found = count(plan, [&](const Case& c) {
          return c.kind == Kind::branch && c.cluster == cluster.index && c.op == op && c.threads == 1;
        });
        EXPECT_EQ(found, 1) << op.name();
      }
    }
  }
}

// Its window follows from the latency of the same memory in the same pages.
TEST(Plan, EveryClusterWithMemoryHasItsWindow) {
  for (const Machine& machine : zoo()) {
    const Plan plan = make_plan(machine, {}, options_of("quick"));
    for (const auto& cluster : machine.clusters) {
      const auto cells = [&](Kind kind) {
        std::vector<Case> found;
        for (const auto& run : plan.runs) {
          for (const Case& c : run.cases) {
            if (c.kind == kind && c.cluster == cluster.index && c.pattern == Pattern::local)
              found.push_back(c);
          }
        }
        return found;
      };
      const std::vector<Case> latencies = cells(Kind::latency);
      for (const Case& window : cells(Kind::window)) {
        EXPECT_EQ(window.threads, 1);
        EXPECT_TRUE(std::ranges::any_of(latencies, [&](const Case& c) {
          return c.node == window.node && c.pages == window.pages && c.level == window.level;
        }));
      }
      std::set<int> nodes;
      for (const Case& latency : latencies) nodes.insert(latency.node);
      EXPECT_EQ(cells(Kind::window).size(), 2 * nodes.size()) << "of instructions, and of stores";
    }
  }
}

TEST(Plan, EveryClusterHasEachClassOfOperations) {
  for (const Machine& machine : zoo()) {
    const Plan plan = make_plan(machine, {}, options_of("quick"));
    for (const auto& cluster : machine.clusters) {
      for (const auto& row : gable::model::latency_class_rows) {
        const int found = count(plan, [&](const Case& c) {
          return c.kind == Kind::operation && c.cluster == cluster.index && c.op.name() == row.operation &&
                 c.threads == 1;
        });
        const auto* const kernel = gable::kernels::find(row.operation, gable::kernels::general_isa);
        ASSERT_EQ(kernel == nullptr, row.operation.empty()) << row.name;
        EXPECT_EQ(found, kernel != nullptr && gable::kernels::runs(*kernel) ? 1 : 0) << row.name;
      }
    }
  }
}

TEST(Plan, EveryClusterAndNodeHaveTheirCells) {
  Options options = options_of("quick");
  options.isa = gable::kernels::isas().back();  // otherwise a cell may occur once for each ISA
  for (const Machine& machine : zoo()) {
    const Plan plan = make_plan(machine, {}, options);
    for (const Cluster& cluster : machine.clusters) {
      for (const Node& node : machine.nodes) {
        SCOPED_TRACE(testing::Message()
                     << machine.cpu_model << " cluster " << cluster.index << " node " << node.os_index);
        const bool cached = node.memory_side_cache_bytes > 0;
        const Level level = cached ? gable::machines::memory_side_cache_level(machine) : Level::memory();
        if (node.bytes > 0) expect_cells(plan, cluster, node, level);
      }
    }
  }
}

// Beyond the first cache, two loops of loads compete for each figure, which is one figure for whoever asks
// for loads.
TEST(Plan, LoadsFromCachesBeyondTheFirstRaceTwoLoops) {
  Options options = options_of("standard");
  options.isa = gable::kernels::isas().back();
  std::map<std::string, std::set<std::string>> kernels;
  for (const Machine& machine : zoo()) {
    const Plan plan = make_plan(machine, {}, options);
    std::map<std::string, std::set<std::string>> races;
    for (const auto& run : plan.runs) {
      const Case& spec = run.cases.front();
      if (spec.pattern != Pattern::cache || spec.kind != Kind::bandwidth ||
          spec.op != gable::model::operations::load)
        continue;
      kernels[spec.level.name()].insert(spec.kernel);
      races[std::to_string(spec.cluster) + spec.level.name()].insert(run.race);
    }
    for (const auto& [where, names] : races) EXPECT_EQ(names.size(), 1u) << where;
  }
  const std::string end = "_" + options.isa;
  EXPECT_EQ(kernels["L1"], std::set<std::string>{"load" + end});
  EXPECT_EQ(kernels["L2"], (std::set<std::string>{"load" + end, "load_short" + end}));
}

// In every pattern, or what is local would seem faster than what is remote. The grid of the hybrid model
// compares its cells with each other.
TEST(Plan, LoadsOfMemoryAreAlsoOfTwoStreams) {
  Options options = options_of("standard");
  options.isa = gable::kernels::isas().back();
  std::map<std::string, std::set<std::string>> kernels, races;
  for (const auto& run : make_plan(sockets(2, 4), {}, options).runs) {
    const Case& spec = run.cases.front();
    if (!is_memory(spec.level) || spec.kind != Kind::bandwidth || spec.op != gable::model::operations::load ||
        spec.other_node >= 0 || !run.skip.empty())
      continue;
    const std::string where = std::string(name_of(spec.pattern)) + " " + std::to_string(spec.cluster) + " " +
                              std::to_string(spec.node) + " " + name_of(spec.pages);
    kernels[where].insert(spec.kernel);
    races[where].insert(run.race);
  }
  EXPECT_FALSE(kernels.empty());
  const std::string end = "_" + options.isa;
  for (const auto& [where, names] : kernels) {
    EXPECT_EQ(names, (std::set<std::string>{"load" + end, "load_halves" + end})) << where;
    EXPECT_EQ(races[where].size(), 1u) << where;
  }
}

// Every cluster has them, in the ISA of the other peaks.
TEST(Plan, DivisionsRootsAndScalarOperationsHavePeaks) {
  Options options = options_of("quick");
  options.isa = gable::kernels::isas().back();
  const Plan plan = make_plan(sockets(2, 4), {}, options);
  for (const std::string op :
       {"fma", "div", "sqrt", "add_scalar", "fma_scalar", "div_scalar", "sqrt_scalar"}) {
    for (const std::string precision : {"dp", "sp"}) {
      const int cells = count(plan, [&](const Case& c) {
        return c.kind == Kind::flops && c.op.name() == op && name_of(c.precision) == precision &&
               c.kernel == op + "_" + precision + "_" + options.isa;
      });
      const bool exists = gable::kernels::find(op + "_" + precision, options.isa) != nullptr;
      EXPECT_EQ(cells, exists ? 2 : 0) << op;
    }
  }
}

TEST(Plan, ProgramsForOlderCpusHaveTheirPeaks) {
  for (const auto& [preset, every] : {std::pair("quick", false), {"standard", true}}) {
    const Plan plan = make_plan(sockets(1, 4), {}, options_of(preset));
    for (const std::string& isa : gable::kernels::isas()) {
      const int cells = count(plan, [&](const Case& c) { return c.kernel == "add_dp_" + isa; });
      EXPECT_EQ(cells, every || isa == gable::kernels::isas().back() ? 1 : 0) << preset << ", " << isa;
    }
  }
}

// Page sizes and numbers of threads are figures of their own. Remote pairs that are alike need one of them.
TEST(Plan, RandomLoadsDoNotRaceAndTakeLittleTime) {
  for (const Preset& preset : presets()) {
    double seconds = 0;
    int open = 0;
    const Plan plan = make_plan(sockets(4, 8), {}, options_of(preset.name.data()));
    for (const auto& run : plan.runs) {
      const Case& spec = run.cases.front();
      if (spec.kind != Kind::random) continue;
      EXPECT_EQ(run.race, "") << key(spec);
      open += !run.reserve;
      if (!run.reserve) seconds += run.seconds * run.rounds;
    }
    EXPECT_EQ(open, (4 + 1) * 4)
        << "each local pair and one remote pair; two sizes of pages; all threads and one";
    // Without AVX-512, a plan has fewer other cells.
    EXPECT_LT(seconds, 0.06 * plan.seconds) << preset.name;
  }
}

TEST(Plan, SaysWhyAPatternIsSkipped) {
  const Plan one = make_plan(sockets(1, 4), {}, options_of("quick"));
  EXPECT_NE(skip_of(one, Pattern::local_all).find("one cluster"), std::string::npos);
  EXPECT_NE(skip_of(one, Pattern::contended).find("one cluster"), std::string::npos);
  EXPECT_NE(skip_of(one, Pattern::congested).find("one node"), std::string::npos);
  EXPECT_NE(skip_of(one, Pattern::remote).find("local to every cluster"), std::string::npos);
  const Plan two = make_plan(sockets(2, 4), {}, options_of("quick"));
  for (const auto& [pattern, unused] : memory_patterns()) {
    EXPECT_EQ(skip_of(two, pattern), "") << name_of(pattern);
  }
}

TEST(Plan, EveryTierHasItsCongestedAndLocalAllCells) {
  const Machine machine = from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/four-tiers.xml");
  const Plan plan = make_plan(machine, {}, options_of("quick"));
  for (const Pattern pattern : {Pattern::local_all, Pattern::congested}) {
    for (const gable::model::Tier tier :
         {gable::model::Tier::dram, gable::model::Tier::hbm, gable::model::Tier::nvm}) {
      const int cells = count(plan, [&](const Case& c) {
        return c.pattern == pattern && c.tier == tier && c.op == gable::model::operations::load &&
               c.pages == *gable::model::pages_named("2m");
      });
      const auto clusters = static_cast<int>(machine.clusters.size());
      EXPECT_EQ(cells, 2 * clusters) << name_of(pattern) << " " << name_of(tier) << ": two ways to load";
    }
  }
  for (const auto& run : plan.runs) {
    if (run.cases.front().pattern == Pattern::congested &&
        run.cases.front().tier == gable::model::Tier::cxl) {
      EXPECT_NE(sentence(run.skip).find("one node"), std::string::npos);
    }
  }
}

TEST(Plan, ATierThatOneClusterHasIsSaidToBeSkipped) {
  Machine machine = sockets(2, 4);
  machine.nodes[1].tier = gable::model::Tier::hbm;
  std::map<std::string, std::string> reasons;
  for (const auto& run : make_plan(machine, {}, options_of("quick")).runs) {
    if (run.cases.front().pattern == Pattern::local_all)
      reasons[name_of(run.cases.front().tier)] = sentence(run.skip);
  }
  ASSERT_EQ(reasons.size(), 2u);
  for (const auto& [tier, reason] : reasons) EXPECT_NE(reason.find("this tier"), std::string::npos) << tier;
}

TEST(Plan, MemoryAndL1ComeFirst) {
  const Plan plan = make_plan(sockets(2, 4), {}, options_of("standard"));
  std::set<std::string> first;
  int last = 0;
  for (const auto& run : plan.runs) {
    EXPECT_GE(run.priority, last);
    last = run.priority;
    const Case& spec = run.cases.front();
    if (run.priority == 0)
      first.insert(spec.op.name() + " " + spec.level.name() + " " + name_of(spec.pattern));
  }
  EXPECT_EQ(first, (std::set<std::string>{"load L1 cache", "load memory local", "chase memory local"}));
}

// A short budget measures the loads of a cluster's own caches and memory first.
TEST(Plan, LoadsComeBeforeOtherOperations) {
  for (const Preset& preset : presets()) {
    std::set<std::string> others;  // page sizes of the other operations so far
    int loads = 0;
    for (const auto& run : make_plan(sockets(2, 4), {}, options_of(preset.name.data())).runs) {
      const Case& spec = run.cases.front();
      if (spec.kind != Kind::bandwidth || (spec.pattern != Pattern::cache && spec.pattern != Pattern::local))
        continue;
      if (spec.op != gable::model::operations::load) {
        others.insert(name_of(spec.pages));
        continue;
      }
      EXPECT_FALSE(others.contains(name_of(spec.pages))) << key(spec);
      ++loads;
    }
    EXPECT_GT(loads, 0);
    EXPECT_EQ(others.size(), 2u);
  }
}

}  // namespace
