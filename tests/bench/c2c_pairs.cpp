// Pairs of cores: their classes, which of them are measured, and how long that takes.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "c2c_machines.hpp"

namespace gable::bench::tests {
namespace {

using model::C2cCase;
using model::C2cMeasure;
using model::Relation;

TEST(C2cPairs, AreGroupedByWhatTheyShare) {
  const machines::Machine machine = nps4(8);
  const auto places = places_of(machine);
  ASSERT_EQ(places.size(), 192u);
  std::map<Relation, std::size_t> counts;
  for (const auto& [between, pairs] : pairs_by_class(machine, places))
    counts[between.relation] += pairs.size();
  const std::map<Relation, std::size_t> expected = {{Relation::l3, 24 * 28},
                                                    {Relation::node, 8 * 3 * 64},
                                                    {Relation::package, 2 * 6 * 24 * 24},
                                                    {Relation::machine, 96 * 96}};
  EXPECT_EQ(counts, expected);
}

TEST(C2cPairs, HardwareThreadsOfACoreAreAClassOfTheirOwn) {
  const machines::Machine machine = machines::from_synthetic("pack:1 [numa] l3:1 l2:4 l1d:1 core:1 pu:2");
  const auto classes = pairs_by_class(machine, places_of(machine));
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes.at({Relation::core, 0, ""}).size(), 4u);
  EXPECT_EQ(classes.at({Relation::l3, 0, ""}).size(), 6u);
}

TEST(C2cPairs, DistancesAndKindsOfCoresTellClassesApart) {
  const machines::Machine two = machines::from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/snc2-2s.xml");
  bool has_distance = false;
  for (const auto& [between, pairs] : pairs_by_class(two, places_of(two)))
    has_distance |= between.relation == Relation::machine && between.distance > 10;
  EXPECT_TRUE(has_distance);
  machines::Place p, e;
  p.kind = "P";
  p.core = 0;
  e.kind = "E";
  e.core = 1;
  EXPECT_EQ(class_of(two, p, e).kinds, "E and P");
  EXPECT_EQ(class_of(two, e, e).kinds, "E");
}

TEST(C2cPairs, TheChosenOnesDifferInEverythingElse) {
  const machines::Machine machine = nps4(8);
  const auto places = places_of(machine);
  const auto classes = pairs_by_class(machine, places);
  const auto chosen = unlike_pairs(places, classes.at({Relation::machine, 0, ""}), 3);
  std::set<int> l3s, nodes;
  for (const auto& [a, b] : chosen) {
    l3s.insert({places[a].l3, places[b].l3});
    nodes.insert({places[a].node, places[b].node});
  }
  EXPECT_EQ(l3s.size(), 6u);
  EXPECT_EQ(nodes.size(), 6u);
  EXPECT_EQ(unlike_pairs(places, {{0, 1}, {0, 2}}, 3).size(), 2u) << "no pair twice";
}

// As many spot checks as there are cores are enough to have each core in one.
TEST(C2cPairs, EveryCoreHasASpotCheckInItsClass) {
  const machines::Machine machine = nps4(8);
  const auto places = places_of(machine);
  for (const auto& [between, pairs] : pairs_by_class(machine, places)) {
    std::set<std::size_t> cores;
    for (const auto& [a, b] : random_pairs(pairs, {}, places.size(), 1)) cores.insert({a, b});
    EXPECT_EQ(cores.size(), places.size()) << name_of(between);
  }
  const std::vector<PlacePair> two = {{0, 1}, {0, 2}};
  EXPECT_EQ(random_pairs(two, {{0, 1}}, 5, 1), (std::vector<PlacePair>{{0, 2}})) << "known ones are left out";
}

double seconds_of(const C2cPlan& plan) {
  return left_of(plan, {}).seconds;
}

// By the plan, whatever the machine that the test runs on can do.
TEST(C2cPlan, TakesSecondsOnMachinesOfAnySize) {
  EXPECT_LE(seconds_of(c2c_plan(sockets(1, 2), {}, {})), 3);
  const C2cPlan large = c2c_plan(nps4(8), {}, {});
  EXPECT_LE(seconds_of(large), 30);
  const C2cPlan larger = c2c_plan(nps4(32), {}, {});
  EXPECT_LE(seconds_of(larger), 1.1 * seconds_of(large)) << "it grows with the classes, not with the cores";
}

TEST(C2cPlan, FullMeetsEveryPairAndNamesItsDirections) {
  const C2cPlan plan = c2c_plan(sockets(2, 4), {}, {.level = 2});
  EXPECT_EQ(pairs_met(plan).size(), 28u);
  EXPECT_EQ(probability_to_meet(plan), 1);
  std::set<std::vector<unsigned>> modified;
  for (const C2cCell& cell : plan.cells)
    if (cell.spec.measure == C2cMeasure::modified) modified.insert(cell.spec.pus);
  EXPECT_EQ(modified.size(), 56u);
}

TEST(C2cPlan, TheHomeOfALineIsVaried) {
  const C2cPlan plan = c2c_plan(sockets(3, 2), {}, {});
  std::set<model::Home> homes;
  for (const C2cCell& cell : plan.cells) {
    const C2cCase& spec = cell.spec;
    if (spec.between.relation != Relation::machine) continue;
    homes.insert(spec.home);
    if (spec.home != model::Home::first) continue;
    EXPECT_EQ(static_cast<unsigned>(spec.node), spec.pus.front() / 2);
  }
  EXPECT_EQ(homes, (std::set{model::Home::first, model::Home::second, model::Home::other}));
}

}  // namespace
}  // namespace gable::bench::tests
