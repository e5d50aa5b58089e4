// Where threads are put that run, and those that are idle.

#include "kmaf/engine/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "machines.hpp"
#include "mapped.hpp"
#include "random.hpp"

namespace gable::kmaf {
namespace {

using Places = WithMapper;

// 16 threads on 4 nodes of 8 cores with 2 hardware threads: two nodes have a core for each, one a hardware
// thread.
TEST_F(Places, FewNodesAreThoseWithRoom) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  test::Random random(5);
  const AffinityMatrix matrix = random_matrix(16, 50, random);
  for (const bool own_cores : {true, false}) {
    const auto leaves = leaves_of_few_nodes(hierarchy, 16, own_cores);
    const auto mapping = map_threads_to(leaves, matrix, 16, hierarchy);
    ASSERT_TRUE(mapping);
    std::set<int> nodes, cores, used(mapping->begin(), mapping->end());
    for (const int leaf : *mapping) {
      EXPECT_TRUE(std::ranges::count(leaves, leaf)) << leaf;
      nodes.insert(hierarchy.leaves[static_cast<std::size_t>(leaf)].node);
      cores.insert(hierarchy.leaves[static_cast<std::size_t>(leaf)].core);
    }
    EXPECT_EQ(used.size(), 16u);
    EXPECT_EQ(nodes.size(), own_cores ? 2u : 1u);
    EXPECT_EQ(cores.size(), own_cores ? 16u : 8u);
  }
  EXPECT_EQ(leaves_of_few_nodes(hierarchy, 17, false).size(), 32u);
  EXPECT_EQ(leaves_of_few_nodes(hierarchy, 1000, false).size(), 64u) << "there are no more";
}

// A thread for each node, then one for each core, then one for each hardware thread.
TEST(DealtInTurn, UsesNodesThenCoresThenHardwareThreads) {
  for (machines::Machine machine : {test::x7550(), test::small()}) {
    machine.clusters[1].cores.pop_back();  // nodes may differ
    const Hierarchy hierarchy = hierarchy_of(machine);
    const int leaves = static_cast<int>(hierarchy.leaves.size());
    const Mapping mapping = dealt_in_turn(2 * leaves, hierarchy);
    std::map<int, int> of_node, of_core, of_leaf;
    const int cores = [&] {
      std::set<int> numbers;
      for (const Leaf& leaf : hierarchy.leaves) numbers.insert(leaf.core);
      return static_cast<int>(numbers.size());
    }();
    for (int thread = 0; thread < 2 * leaves; ++thread) {
      const Leaf& leaf =
          hierarchy.leaves[static_cast<std::size_t>(mapping[static_cast<std::size_t>(thread)])];
      const int on_node = of_node[leaf.node]++, on_core = of_core[leaf.core]++,
                on_leaf = of_leaf[mapping[static_cast<std::size_t>(thread)]]++;
      EXPECT_TRUE(on_node == 0 || thread >= static_cast<int>(hierarchy.nodes.size())) << thread;
      EXPECT_TRUE(on_core == 0 || thread >= cores) << thread;
      EXPECT_EQ(on_leaf, thread < leaves ? 0 : 1) << thread;
    }
  }
}

// Whoever runs gets a core; the idle stay where there is room. With more running threads than cores all are
// alike.
TEST_F(Places, PlacesOfRunningAndIdleThreads) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  test::Random random(6);
  const AffinityMatrix matrix = random_matrix(64, 20, random);
  Mapping now(64);
  std::iota(now.begin(), now.end(), 0);
  for (const int running_threads : {4, 8, 32, 33, 64}) {
    std::vector<double> seconds(64, 0.2);
    for (int i = 0; i < running_threads; ++i) seconds[static_cast<std::size_t>(i * 37 % 64)] = 1;
    const Activity activity = activity_of(seconds);
    const std::vector<bool>& runs = activity.runs;
    EXPECT_EQ(std::ranges::count(runs, true), running_threads);
    const auto places = places_of(matrix, activity, now, false, hierarchy);
    ASSERT_TRUE(places);
    for (const int threads : load_of(*places, hierarchy)) EXPECT_EQ(threads, 1);
    EXPECT_FALSE(is_crowded(*places, runs, hierarchy)) << running_threads;
    if (running_threads > 8) continue;
    const auto packed = places_of(matrix, activity, now, true, hierarchy);
    EXPECT_EQ(nodes_used(*packed, runs, hierarchy), 1);
    EXPECT_FALSE(is_crowded(*packed, runs, hierarchy));
  }
  EXPECT_EQ(activity_of({0, 0}).runs, std::vector<bool>({true, true}));
  EXPECT_EQ(activity_of({0.1, 9}).runs, std::vector<bool>({true, true}));
  EXPECT_EQ(activity_of({1, -1, 0.24, 1, 0.25}).runs, std::vector<bool>({true, true, false, true, true}))
      << "unknown: it may run";
  EXPECT_EQ(activity_of({0.25, 9, 0.24, 1}).runs, std::vector<bool>({true, true, false, true}))
      << "the busiest runs the serial parts, too";
}

// Eight of 64 threads run, and six do a little: they have cores of their own too, wherever all were before.
// The others take what is left.
TEST_F(Places, TheBusiestIdleThreadsDisturbNobody) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  test::Random random(8);
  for (int round = 0; round < 10; ++round) {
    std::vector<double> seconds(64, 0.01);
    for (std::size_t thread = 3; thread < 59; thread += 4) seconds[thread] = thread < 35 ? 1 : 0.1;
    const Activity activity = activity_of(seconds);
    EXPECT_EQ(activity.idle.size(), 56u);
    EXPECT_TRUE(std::ranges::is_sorted(activity.idle, std::greater(), [&](int thread) {
      return seconds[static_cast<std::size_t>(thread)];
    }));
    Mapping now(64);
    std::iota(now.begin(), now.end(), 0);
    for (std::size_t i = now.size(); i > 1; --i) std::swap(now[i - 1], now[random.below(i)]);
    const auto places = places_of(random_matrix(64, 20, random), activity, now, false, hierarchy);
    ASSERT_TRUE(places);
    for (const int threads : load_of(*places, hierarchy)) EXPECT_EQ(threads, 1);
    std::map<int, std::vector<double>> of_core;
    for (std::size_t thread = 0; thread < 64; ++thread)
      of_core[hierarchy.leaves[static_cast<std::size_t>((*places)[thread])].core].push_back(seconds[thread]);
    for (const auto& [core, pair] : of_core) EXPECT_EQ(std::min(pair[0], pair[1]), 0.01) << core;
  }
}

}  // namespace
}  // namespace gable::kmaf
