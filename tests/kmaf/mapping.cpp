// Mapping threads: invariants, known optima, and an exhaustive search as second opinion.

#include "kmaf/engine/mapping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <thread>

#include "machines.hpp"
#include "mapped.hpp"
#include "random.hpp"

namespace gable::kmaf {
namespace {

using MappingTest = WithMapper;

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
  for (std::optional<Mapping>& mine : found) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        map_threads(other, 40, hierarchy);
        mine = map_threads(matrix, 64, hierarchy);
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
