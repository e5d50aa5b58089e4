// The machine as a tree.

#include "kmaf/engine/hierarchy.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <set>

#include "machines.hpp"

namespace gable::kmaf {
namespace {

std::string shape(const Hierarchy& hierarchy) {
  std::string text;
  for (const Level& level : hierarchy.levels) text += std::to_string(level.arity) + " ";
  return text;
}

TEST(Hierarchy, LevelsOfArityOneAreLeftOut) {
  EXPECT_EQ(shape(hierarchy_of(test::x7550())), "4 8 2 ");
  EXPECT_EQ(shape(hierarchy_of(test::small())), "2 2 ");
  EXPECT_EQ(shape(hierarchy_of(machines::from_synthetic("node:1 core:1 pu:1"))), "");
  EXPECT_EQ(shape(hierarchy_of(machines::from_synthetic("node:1 core:6 pu:1"))), "6 ");
  EXPECT_EQ(shape(hierarchy_of(machines::from_synthetic("node:2 l3:4 core:4 pu:2"))), "2 4 4 2 ");
}

TEST(Hierarchy, DistanceIsThatOfTheLevelThatParts) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  EXPECT_EQ(hierarchy.leaves.size(), 64u);
  EXPECT_EQ(hierarchy.distance(0, 0), 0);
  EXPECT_EQ(hierarchy.distance(0, 1), 1);
  EXPECT_EQ(hierarchy.distance(0, 2), 4);
  EXPECT_EQ(hierarchy.distance(0, 15), 4);
  EXPECT_EQ(hierarchy.distance(0, 16), 16);
  EXPECT_EQ(hierarchy.distance(63, 0), 16);
}

// Two hardware threads a core, eight cores a node, four nodes.
std::optional<double> by_number(unsigned pu, unsigned other) {
  return pu / 2 == other / 2 ? 10 : pu / 16 == other / 16 ? 40 : 205;
}

TEST(Hierarchy, TakesMeasuredCosts) {
  Hierarchy hierarchy = hierarchy_of(test::x7550());
  ASSERT_TRUE(use_measured_costs(hierarchy, by_number));
  EXPECT_EQ(hierarchy.distance(0, 1), 4);
  EXPECT_EQ(hierarchy.distance(0, 2), 16);
  EXPECT_EQ(hierarchy.distance(63, 0), 82);
}

TEST(Hierarchy, KeepsItsCostsWhereMeasuredOnesDoNotOrderTheLevels) {
  Hierarchy hierarchy = hierarchy_of(test::x7550());
  EXPECT_FALSE(use_measured_costs(hierarchy, [](unsigned pu, unsigned other) -> std::optional<double> {
    if (pu / 16 != other / 16) return {};
    return by_number(pu, other);
  })) << "nothing between nodes";
  EXPECT_FALSE(use_measured_costs(hierarchy, [](unsigned pu, unsigned other) -> std::optional<double> {
    return 300 - *by_number(pu, other);
  })) << "far is cheap";
  EXPECT_EQ(hierarchy.distance(0, 2), 4);
  EXPECT_EQ(hierarchy.distance(63, 0), 16);
}

TEST(Hierarchy, LeavesCarryTheirNodeAndCore) {
  const Hierarchy hierarchy = hierarchy_of(test::x7550());
  for (int leaf = 0; leaf < 64; ++leaf) {
    const Leaf& place = hierarchy.leaves[static_cast<std::size_t>(leaf)];
    EXPECT_EQ(place.node, leaf / 16);
    EXPECT_EQ(place.core, leaf / 2);
    EXPECT_EQ(hierarchy.leaf_of_pu(place.pu), leaf);
  }
  EXPECT_FALSE(hierarchy.leaf_of_pu(64));
  EXPECT_EQ(hierarchy.nodes, (std::vector<unsigned>{0, 1, 2, 3}));
}

TEST(Hierarchy, AnIrregularMachineHasSlotsWithoutLeaves) {
  machines::Machine machine = test::small();
  machine.clusters[1].cores.pop_back();
  const Hierarchy hierarchy = hierarchy_of(machine);
  EXPECT_EQ(shape(hierarchy), "2 2 ");
  EXPECT_EQ(hierarchy.slots(), 4);
  EXPECT_EQ(hierarchy.leaves.size(), 3u);
  EXPECT_FALSE(hierarchy.is_regular());
  EXPECT_EQ(hierarchy.distance(1, 2), 4);
  std::set<int> slots;
  for (const Leaf& leaf : hierarchy.leaves) slots.insert(leaf.slot);
  EXPECT_EQ(slots, (std::set<int>{0, 1, 2}));
}

TEST(Hierarchy, AMachineWithoutCoresIsRefused) {
  machines::Machine machine = test::small();
  for (machines::Cluster& cluster : machine.clusters) cluster.cores.clear();
  EXPECT_THROW(hierarchy_of(machine), Error);
}

}  // namespace
}  // namespace gable::kmaf
