// Times of programs whose objects lie in different memories, on invented machines.

#include <gtest/gtest.h>

#include <algorithm>

#include "model/predict/forecast.hpp"
#include "model/predict/parameters.hpp"
#include "tests/model/forecast_machines.hpp"

namespace gable::model {
namespace {

using namespace invented;

constexpr double far_away = 1 << 30, second_of_lines = 40e9 / 64;

// A second memory, which loads half as fast as the first one and stores a twentieth as fast.
Roofs two_memories() {
  Roofs all = roofs();
  for (const Roof& each : roofs().roofs) {
    if (!is_memory(each.spec.level)) continue;
    Roof slow = each;
    slow.spec.node = 1;
    slow.spec.tier = Tier::nvm;
    const double part = each.spec.op == operations::store ? 0.05 : 0.5;
    for (double* value : {&slow.value, &slow.lo, &slow.hi})
      *value *= unit_of(each.spec.kind) == "ns" ? 3 : part;
    all.roofs.push_back(slow);
  }
  all.machine_nodes = {{0, {0, 1}}};
  all.machine_tiers = {{0, Tier::dram}, {1, Tier::nvm}};
  return all;
}

enum Object { graph, temporary };

// A function that streams through a graph, and loads (in this order) and overwrites temporary data.
Profile program_of(double graph_lines, double temporary_lines, AccessOrder order = AccessOrder::sequential,
                   double written_lines = 0) {
  Profile made = profile({{far_away, graph_lines}});
  made.objects.resize(2);
  ProfileUses uses = made.uses.front();
  uses.object = temporary;
  for (LineUses* each : {&uses.own, &uses.all}) {
    *each = {};
    each->read[static_cast<std::size_t>(order)] = {{bucket_of(far_away), temporary_lines}};
    each->written[0] = {{bucket_of(far_away), written_lines}};
    each->written_back = {{0, written_lines}};
  }
  made.uses.push_back(uses);
  return made;
}

gable::model::Program with_objects(const Profile& of) {
  return {[&of](const std::vector<ProfileCache>& caches, const Setting& at) {
            return work_parts(of, caches, at.tlb, at.like, object_nodes(at));
          },
          of.threads};
}

Setting placed(const Roofs& on, std::vector<int> nodes) {
  Setting made = setting(on);
  for (int i = 0; i < std::ssize(nodes); ++i)
    made.objects.push_back({i == graph ? "graph" : "temporary", {i}, nodes[static_cast<std::size_t>(i)]});
  return made;
}

double seconds_of(const Profile& of, const Setting& there) {
  const Forecast found = forecast(with_objects(of), there, nullptr);
  EXPECT_EQ(found.status, Status::ok) << found.reason;
  return found.seconds;
}

// The seconds of each need of the memories and of waiting, by its name.
std::map<std::string, double> needs_in(const Profile& of, const Setting& there) {
  std::map<std::string, double> seconds;
  for (const PartNeeds& part : forecast(with_objects(of), there, nullptr).parts) {
    for (const NeedTime& need : part.needs) seconds[need.what] += need.seconds.front();
  }
  return seconds;
}

// Wherever all objects are placed one by one: as if all data were placed there.
TEST(PlacedObjects, AllOnOneNodeAreAsTheWholeProgramThere) {
  const Roofs on = two_memories();
  for (const AccessOrder order : {AccessOrder::sequential, AccessOrder::independent, AccessOrder::chained}) {
    const Profile of = program_of(second_of_lines, second_of_lines / 8, order, second_of_lines / 10);
    for (const int node : {0, 1}) {
      Setting whole = setting(on);
      whole.like.node_bytes = {{node, 1}};
      EXPECT_NEAR(seconds_of(of, placed(on, {node, node})), seconds_of(of, whole), 1e-9);
    }
  }
}

TEST(PlacedObjects, EachMemoryHasANeedOfItsOwn) {
  const Roofs on = two_memories();
  const Profile of = program_of(second_of_lines, second_of_lines / 4);
  const auto needs = needs_in(of, placed(on, {0, 1}));
  EXPECT_NEAR(needs.at("local memory (node 0)"), 1, 1e-6);
  EXPECT_NEAR(needs.at("local memory (node 1)"), 0.5, 1e-6) << "a quarter of the lines at half the rate";
  const double time = seconds_of(of, placed(on, {0, 1}));
  EXPECT_GT(time, 1 + 0.5 * PredictParameters().exposed);
  EXPECT_LT(time, 1.5);
}

// A memory that stores slowly does not slow down what is only loaded from it.
TEST(PlacedObjects, EachMemoryHasItsOwnMixOfLoadsAndStores) {
  const Roofs on = two_memories();
  const Profile of = program_of(second_of_lines, 0, AccessOrder::sequential, second_of_lines / 4);
  EXPECT_NEAR(needs_in(of, placed(on, {1, 0})).at("local memory (node 1)"), 2, 1e-6) << "loads alone";
  EXPECT_NEAR(needs_in(of, placed(on, {0, 1})).at("local memory (node 1)"), 10, 1e-6) << "stores alone";
}

// Random lines wait for the memory of their own object.
TEST(PlacedObjects, WaitForTheirOwnMemory) {
  const Roofs on = two_memories();
  for (const AccessOrder order : {AccessOrder::independent, AccessOrder::chained}) {
    const Profile of = program_of(second_of_lines, second_of_lines / 8, order);
    const auto waiting = [&](std::vector<int> nodes) {
      double sum = 0;
      for (const auto& [what, seconds] : needs_in(of, placed(on, std::move(nodes)))) {
        if (what.find("irregular") != std::string::npos || what.find("latency") != std::string::npos)
          sum += seconds;
      }
      return sum;
    };
    EXPECT_GT(waiting({0, 0}), 0);
    EXPECT_NEAR(waiting({1, 0}), waiting({0, 0}), 1e-9);
    EXPECT_NEAR(waiting({0, 1}), waiting({1, 1}), 1e-9);
    EXPECT_GT(waiting({0, 1}), 1.9 * waiting({0, 0}));
  }
}

// Two halves of an object take as long as the whole, if they lie together.
TEST(PlacedObjects, OtherDataLiesAsBefore) {
  const Roofs on = two_memories();
  const Profile of =
      program_of(second_of_lines, second_of_lines / 4, AccessOrder::sequential, second_of_lines / 8);
  Setting graph_alone = placed(on, {1, 0});
  graph_alone.objects.pop_back();
  EXPECT_NEAR(seconds_of(of, graph_alone), seconds_of(of, placed(on, {1, 0})), 1e-9);
  Setting temporary_alone = placed(on, {1, 0});
  temporary_alone.objects.erase(temporary_alone.objects.begin());
  temporary_alone.like.node_bytes = {{1, 1}};
  EXPECT_NEAR(seconds_of(of, temporary_alone), seconds_of(of, placed(on, {1, 0})), 1e-9);
}

// Writes remain, however many of the other lines wait for themselves.
TEST(PlacedObjects, SlowStoresCountBesideRandomLoads) {
  const Roofs on = two_memories();
  const Profile of = program_of(0, second_of_lines / 8, AccessOrder::independent, second_of_lines / 80);
  Setting there = setting(on);
  there.like.node_bytes = {{1, 1}};
  const double store_seconds = second_of_lines / 80 * 64 / 1e9 / (20 * 0.05);
  EXPECT_GT(needs_in(of, there).at("local memory"), 0.9 * store_seconds);
}

TEST(PlacedObjects, AMemoryWithoutAFigureIsRefused) {
  const Roofs on = two_memories();
  const Profile of = program_of(second_of_lines, second_of_lines);
  const Forecast found = forecast(with_objects(of), placed(on, {0, 2}), nullptr);
  EXPECT_EQ(found.status, Status::skipped);
  EXPECT_NE(found.reason.find("node 2"), std::string::npos) << found.reason;
}

// A cache without a figure is as fast for data in a slow memory as for data in a fast one.
TEST(PlacedObjects, EstimatedCachesDoNotDependOnThePlace) {
  Roofs on = two_memories();
  std::erase_if(on.roofs, [](const Roof& each) { return each.spec.level == Level::cache(3); });
  const Profile of = profile({{4 << 20, 200e9 / 64}});
  Setting slow = setting(on);
  slow.like.node_bytes = {{1, 1}};
  EXPECT_NEAR(seconds_of(of, slow), seconds_of(of, setting(on)), 1e-9);
}

// Twice as many threads as cores: what was measured with so many hardware threads counts, if it is slower
// too.
TEST(PlacedObjects, RoofsOfAsManyHardwareThreads) {
  Roofs on = roofs();
  for (const Roof& each : roofs().roofs) {
    if (!is_memory(each.spec.level) || each.spec.kind != Kind::bandwidth) continue;
    Roof smt = each;
    smt.spec.threads = 2 * cores;
    smt.spec.smt = true;
    for (double* value : {&smt.value, &smt.lo, &smt.hi}) *value *= 0.25;
    on.roofs.push_back(smt);
  }
  const Profile of = profile({{far_away, second_of_lines}});
  Setting there = setting(on);
  const double plain = seconds_of(of, there);
  EXPECT_NEAR(plain, seconds_of(of, setting(roofs())), 1e-9);
  there.like.threads = 2 * cores;
  there.like.cores = cores;
  const auto needs = needs_in(of, there);
  EXPECT_NEAR(needs.at("local memory"), 4, 1e-6);
  const Forecast found = forecast(with_objects(of), there, nullptr);
  for (const PartNeeds& part : found.parts) {
    for (const NeedTime& need : part.needs) {
      if (need.what == "local memory") {
        EXPECT_NEAR(need.seconds[static_cast<std::size_t>(RoofEnd::slow)], 4, 1e-6)
            << "it is a roof of all cores";
      }
    }
  }
}

}  // namespace
}  // namespace gable::model
