// Mapping threads: invariants, known optima, and an exhaustive search as second opinion.

#include "kmaf/engine/mapping.hpp"
#include "kmaf/engine/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "machines.hpp"
#include "random.hpp"

namespace gable::kmaf {
namespace {

class MappingTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!mapper().available) GTEST_SKIP() << mapper().missing;
  }
};

AffinityMatrix random_matrix(int threads, int percent, test::Random& random) {
  AffinityMatrix matrix(threads);
  for (int i = 0; i < threads; ++i) {
    for (int j = 0; j < i; ++j) {
      if (random.chance(percent)) matrix.add(i, j, static_cast<std::uint32_t>(1 + random.below(1000)));
    }
  }
  return matrix;
}

std::vector<int> load_of(const Mapping& mapping, const Hierarchy& hierarchy) {
  std::vector<int> load(hierarchy.leaves.size());
  for (const int leaf : mapping) ++load.at(static_cast<std::size_t>(leaf));
  return load;
}

TEST(MappingCost, OfLiterals) {
  const Hierarchy hierarchy = hierarchy_of(test::small());  // leaves 0 1 | 2 3, distances 1 and 4
  AffinityMatrix matrix(3);
  matrix.add(0, 1, 10);
  matrix.add(1, 2, 3);
  EXPECT_EQ(mapping_cost(matrix, hierarchy, {0, 1, 2}), 10 * 1 + 3 * 4);
  EXPECT_EQ(mapping_cost(matrix, hierarchy, {0, 2, 3}), 10 * 4 + 3 * 1);
  EXPECT_EQ(mapping_cost(matrix, hierarchy, {0, 0, 0}), 0);
}

// Events that come nearer count against the spread of their number.
TEST(GainInDeviations, OfLiterals) {
  const Hierarchy hierarchy = hierarchy_of(test::small());
  AffinityMatrix matrix(4);
  EXPECT_EQ(gain_in_deviations(matrix, hierarchy, {0, 1, 2, 3}, {0, 2, 1, 3}), 0);
  matrix.add(0, 1, 9);
  const double nearer = hierarchy.distance(0, 2) - hierarchy.distance(0, 1);
  EXPECT_GT(nearer, 0);
  EXPECT_DOUBLE_EQ(gain_in_deviations(matrix, hierarchy, {0, 1, 2, 3}, {0, 2, 1, 3}), 3)
      << "the root of 9 events";
  matrix.add(0, 2, 9);
  EXPECT_DOUBLE_EQ(gain_in_deviations(matrix, hierarchy, {0, 1, 2, 3}, {0, 2, 1, 3}), 0) << "as much is lost";
  EXPECT_DOUBLE_EQ(gain_in_deviations(matrix, hierarchy, {0, 1, 2, 3}, {0, 1, 2, 3}), 0);
}

TEST_F(MappingTest, NoHardwareThreadGetsTwoWhileAnotherHasNone) {
  test::Random random(2);
  machines::Machine odd = test::x7550();
  odd.clusters[2].cores.resize(5);
  odd.clusters[3].cores[0].pus.resize(1);
  for (const auto& hierarchy :
       {hierarchy_of(test::x7550()), hierarchy_of(odd), hierarchy_of(test::small())}) {
    const int leaves = static_cast<int>(hierarchy.leaves.size());
    for (const int threads : {1, 2, 5, leaves - 1, leaves, leaves + 1, 3 * leaves + 2}) {
      const auto mapping = map_threads(random_matrix(threads, 40, random), threads, hierarchy);
      ASSERT_TRUE(mapping);
      ASSERT_EQ(static_cast<int>(mapping->size()), threads);
      const auto load = load_of(*mapping, hierarchy);
      const auto [least, most] = std::minmax_element(load.begin(), load.end());
      EXPECT_LE(*most, (threads + leaves - 1) / leaves) << threads << " on " << leaves;
      EXPECT_TRUE(*least > 0 || *most <= 1) << threads << " on " << leaves;
    }
  }
}

TEST_F(MappingTest, GroupsThatShareGetANode) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  test::Random random(3);
  std::vector<int> group(64);
  for (int i = 0; i < 64; ++i) group[static_cast<std::size_t>(i)] = i % 4;
  std::shuffle(group.begin(), group.end(), std::mt19937(4));
  AffinityMatrix matrix(64);
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < i; ++j) {
      const bool same = group[static_cast<std::size_t>(i)] == group[static_cast<std::size_t>(j)];
      matrix.add(i, j, static_cast<std::uint32_t>((same ? 1000 : 0) + random.below(50)));
    }
  }
  const auto mapping = map_threads(matrix, 64, hierarchy);
  ASSERT_TRUE(mapping);
  for (int g = 0; g < 4; ++g) {
    std::set<int> nodes;
    for (std::size_t i = 0; i < 64; ++i) {
      if (group[i] == g) nodes.insert(hierarchy.leaves[static_cast<std::size_t>((*mapping)[i])].node);
    }
    EXPECT_EQ(nodes.size(), 1u);
  }
}

// 16 threads on 4 nodes of 8 cores with 2 hardware threads: two nodes have a core for each, one a hardware
// thread.
TEST_F(MappingTest, FewNodesAreThoseWithRoom) {
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

// Whoever runs gets a core; the idle stay where there is room. With more running threads than cores all are
// alike.
TEST_F(MappingTest, PlacesOfRunningAndIdleThreads) {
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
TEST_F(MappingTest, TheBusiestIdleThreadsDisturbNobody) {
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

// A ring of 64 on 4 x 8 x 2 has a known optimum, neighbours in order; it stays a good one with a few other
// accesses.
TEST_F(MappingTest, ARingIsCutAsRarelyAsPossible) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  Mapping in_order(64);
  std::iota(in_order.begin(), in_order.end(), 0);
  test::Random random(1);
  for (const unsigned most : {0u, 1u, 1u, 1u, 4u, 4u, 4u, 9u, 9u, 9u}) {
    AffinityMatrix matrix(64);
    for (int i = 0; i < 64; ++i) {
      matrix.add(i, (i + 1) % 64, 1000);
      for (int j = 0; j < i; ++j) matrix.add(i, j, static_cast<std::uint32_t>(random.below(most + 1)));
    }
    const auto mapping = map_threads(matrix, 64, hierarchy);
    ASSERT_TRUE(mapping);
    EXPECT_LE(mapping_cost(matrix, hierarchy, *mapping), 1.02 * mapping_cost(matrix, hierarchy, in_order));
  }
}

TEST_F(MappingTest, NearTheBestOfAllMappingsOnSmallMachines) {
  const Hierarchy hierarchy = hierarchy_of(machines::from_synthetic("node:2 core:2 pu:2"));
  test::Random random(5);
  double found = 0, optimal = 0;
  for (int round = 0; round < 20; ++round) {
    const AffinityMatrix matrix = random_matrix(8, 60, random);
    Mapping all(8);
    std::iota(all.begin(), all.end(), 0);
    double best = mapping_cost(matrix, hierarchy, all);
    while (std::next_permutation(all.begin(), all.end()))
      best = std::min(best, mapping_cost(matrix, hierarchy, all));
    found += mapping_cost(matrix, hierarchy, *map_threads(matrix, 8, hierarchy));
    optimal += best;
  }
  EXPECT_GE(found, optimal);
  EXPECT_LE(found, 1.05 * optimal);
}

TEST_F(MappingTest, LargeElementsAreScaled) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  AffinityMatrix matrix(64);
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < i; ++j) matrix.add(i, j, i / 16 == j / 16 ? 4000000000u : 1000000u);
  }
  const auto mapping = map_threads(matrix, 64, hierarchy);
  ASSERT_TRUE(mapping);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ((*mapping)[i] / 16, (*mapping)[i / 16 * 16] / 16);
}

TEST_F(MappingTest, SameInputSameMappingFromManyThreads) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  test::Random random(6);
  const AffinityMatrix matrix = random_matrix(64, 50, random), other = random_matrix(40, 50, random);
  const auto expected = map_threads(matrix, 64, hierarchy);
  std::vector<std::thread> threads;
  std::vector<std::optional<Mapping>> found(4);
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        map_threads(other, 40, hierarchy);
        found[t] = map_threads(matrix, 64, hierarchy);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& mapping : found) EXPECT_EQ(mapping, expected);
}

TEST(Refined, NeverCostsMoreAndKeepsTheLoad) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  test::Random random(9);
  std::mt19937 shuffler(10);
  for (int round = 0; round < 10; ++round) {
    const AffinityMatrix matrix = random_matrix(50, 30, random);
    Mapping mapping(64);
    std::iota(mapping.begin(), mapping.end(), 0);
    std::shuffle(mapping.begin(), mapping.end(), shuffler);
    mapping.resize(50);
    const Mapping better = refined(mapping, matrix, hierarchy);
    EXPECT_LE(mapping_cost(matrix, hierarchy, better), mapping_cost(matrix, hierarchy, mapping));
    EXPECT_EQ(load_of(better, hierarchy), load_of(mapping, hierarchy));
  }
}

TEST(Balanced, MovesOnlyWhatIsTooMuch) {
  const Hierarchy hierarchy = hierarchy_of(test::small());
  EXPECT_EQ(balanced({0, 1, 2, 3}, hierarchy), (Mapping{0, 1, 2, 3}));
  EXPECT_EQ(balanced({3, 2, 1}, hierarchy), (Mapping{3, 2, 1}));
  EXPECT_EQ(balanced({2, 2}, hierarchy), (Mapping{3, 2})) << "to the nearest that is free";
  EXPECT_EQ(balanced({2, 2}, hierarchy, {false, true}), (Mapping{2, 3})) << "who has just come goes";
  const auto load = load_of(balanced({0, 0, 0, 0, 0}, hierarchy), hierarchy);
  EXPECT_EQ(*std::max_element(load.begin(), load.end()), 2);
  EXPECT_EQ(*std::min_element(load.begin(), load.end()), 1);
}

TEST(ClosestTo, ExchangesEquivalentSubtrees) {
  const Hierarchy hierarchy = hierarchy_of(test::small());
  EXPECT_EQ(closest_to({0, 1, 2, 3}, {2, 3, 0, 1}, hierarchy), (Mapping{0, 1, 2, 3}));
  EXPECT_EQ(closest_to({0, 1, 2, 3}, {3, 2, 1, 0}, hierarchy), (Mapping{0, 1, 2, 3}));
  EXPECT_EQ(closest_to({0, 2, 1, 3}, {0, 1, 2, 3}, hierarchy)[0], 0);
}

TEST(ClosestTo, CostsTheSame) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  test::Random random(7);
  std::mt19937 shuffler(8);
  for (int round = 0; round < 20; ++round) {
    const AffinityMatrix matrix = random_matrix(64, 30, random);
    Mapping present(64), mapping(64);
    std::iota(present.begin(), present.end(), 0);
    mapping = present;
    std::shuffle(present.begin(), present.end(), shuffler);
    std::shuffle(mapping.begin(), mapping.end(), shuffler);
    const Mapping closest = closest_to(present, mapping, hierarchy);
    EXPECT_EQ(mapping_cost(matrix, hierarchy, closest), mapping_cost(matrix, hierarchy, mapping));
    const auto kept = [&](const Mapping& m) {
      int same = 0;
      for (std::size_t i = 0; i < 64; ++i) same += m[i] / 16 == present[i] / 16;
      return same;
    };
    EXPECT_GE(kept(closest), kept(mapping));
  }
}

}  // namespace
}  // namespace gable::kmaf
