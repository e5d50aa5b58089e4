// A simulated machine with one slow pair of cores: it is found as often as stated, and no other is.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/numbers.hpp"
#include "bench/threads/timeline.hpp"
#include "c2c_machines.hpp"
#include "model/c2c/classes.hpp"

namespace gable::bench::tests {
namespace {

using model::C2cCase;
using model::C2cMeasure;
using model::C2cSample;
using model::Relation;

const std::atomic<bool> never_stopped{false};

// The simulated machine: hand-offs take what the class takes, with noise, and one pair takes longer.
struct Simulated {
  std::set<unsigned> slow = {};
  int visits = 0;
  std::uint64_t state = 5;

  C2cSample visit(const C2cCase& spec, int round) {
    ++visits;
    C2cSample sample;
    sample.spec = spec;
    sample.round = round;
    double ns = 20 + 60 * static_cast<double>(spec.between.relation);
    if (std::set(spec.pus.begin(), spec.pus.end()) == slow) ns *= 1.5;
    for (std::size_t r = 0; r < least_repetitions; ++r) {
      state += scrambled_step;
      const double noise = 1 + 0.02 * static_cast<double>(scrambled(state) >> 40) / (1 << 24);
      sample.seconds.push_back(1e-3);
      sample.work.push_back(1e6 / (ns * noise));
    }
    if (!row_of(spec.measure).of_pairs) sample.by_threads.assign(spec.pus.size(), 1);
    return sample;
  }
};

struct Measured {
  std::vector<C2cSample> samples;
  bool complete = false;
};

Measured measured(const C2cPlan& plan, Simulated& machine, std::vector<C2cSample> recorded = {},
                  const C2cVisit& with = {}) {
  Measured result;
  const C2cHooks hooks = {[&](const C2cSample& sample) { result.samples.push_back(sample); },
                          [](const C2cProgress&) {}};
  const C2cVisit visit = [&](const C2cCase& spec, int round, double) { return machine.visit(spec, round); };
  result.complete =
      run_c2c(plan, 0, std::move(recorded), hooks, model::c2c_differing, with ? with : visit, never_stopped);
  return result;
}

TEST(C2cCampaign, ASlowPairThatASpotMeetsIsMeasuredInFull) {
  const C2cPlan plan = c2c_plan(nps4(8), {}, {.seed = 7});
  const auto spot = std::ranges::find_if(plan.cells, [](const C2cCell& cell) {
    return cell.is_spot && cell.spec.between.relation == Relation::machine;
  });
  ASSERT_NE(spot, plan.cells.end());
  Simulated machine{.slow = {spot->spec.pus.begin(), spot->spec.pus.end()}};
  const Measured result = measured(plan, machine);
  EXPECT_TRUE(result.complete);
  const auto outliers = model::c2c_outliers(model::c2c_figures(result.samples));
  ASSERT_FALSE(outliers.empty());
  for (const auto& outlier : outliers)
    EXPECT_EQ(std::set(outlier.figure.spec.pus.begin(), outlier.figure.spec.pus.end()), machine.slow);
  EXPECT_GE(outliers.front().figure.visits, plan.rounds);
  std::set<std::pair<C2cMeasure, std::vector<unsigned>>> of_pair;
  for (const C2cSample& sample : result.samples)
    if (std::set(sample.spec.pus.begin(), sample.spec.pus.end()) == machine.slow)
      of_pair.emplace(sample.spec.measure, sample.spec.pus);
  EXPECT_EQ(of_pair.size(), 5u) << "hand-offs, and lines modified and shared in both directions";
}

TEST(C2cCampaign, AMachineWithoutSlowPairsHasNone) {
  Simulated machine;
  const C2cPlan plan = c2c_plan(nps4(8), {}, {.seed = 7});
  const Measured result = measured(plan, machine);
  EXPECT_TRUE(model::c2c_outliers(model::c2c_figures(result.samples)).empty());
  EXPECT_EQ(machine.visits, left_of(plan, {}).visits);
}

// One slow pair among 18336 of two cores, 36672 with their directions: docs/machine/core-to-core.md states
// how often spot checks find it. Of 120 machines this many have their slow pair met, within five standard
// deviations.
TEST(C2cCampaign, OneSlowPairIsMetWithTheStatedProbability) {
  const machines::Machine machine = nps4(8);
  constexpr int machines_tried = 120;
  int met = 0;
  double probability = 0;
  std::vector<PlacePair> all;
  for (const auto& [between, pairs] : pairs_by_class(machine, places_of(machine)))
    all.insert(all.end(), pairs.begin(), pairs.end());
  ASSERT_EQ(all.size(), 18336u);
  for (int i = 0; i < machines_tried; ++i) {
    const C2cPlan plan = c2c_plan(machine, {}, {.seed = scrambled(static_cast<std::uint64_t>(i))});
    const PlacePair slow = all[scrambled(1000 + static_cast<std::uint64_t>(i)) % all.size()];
    met += pairs_met(plan).contains(slow) ? 1 : 0;
    probability = probability_to_meet(plan);
  }
  EXPECT_NEAR(probability, 0.112, 0.001);
  const double deviation = std::sqrt(machines_tried * probability * (1 - probability));
  EXPECT_NEAR(met, machines_tried * probability, 5 * deviation);
}

TEST(C2cCampaign, AFolderIsContinued) {
  const machines::Machine machine = sockets(2, 16);
  Simulated simulated;
  const Measured first = measured(c2c_plan(machine, {}, {.level = 0, .seed = 1}), simulated);
  const int before = simulated.visits;
  const C2cPlan again = c2c_plan(machine, {}, {.level = 0, .seed = 2}, first.samples);
  EXPECT_EQ(left_of(again, first.samples).visits, 0) << "other spots are not drawn for those that are there";
  measured(again, simulated, first.samples);
  EXPECT_EQ(simulated.visits, before);
}

TEST(C2cCampaign, ADisturbedVisitIsRepeatedOnce) {
  Simulated machine;
  int disturbed = 0;
  const C2cVisit visit = [&](const C2cCase& spec, int round, double) {
    C2cSample sample = machine.visit(spec, round);
    if (spec.measure != C2cMeasure::lock) return sample;
    ++disturbed;
    sample.status = model::Status::invalid;
    sample.reason = gable::model::Note("other processes kept 2.0 CPUs busy");
    return sample;
  };
  const C2cPlan plan = c2c_plan(sockets(1, 2), {}, {});
  EXPECT_TRUE(measured(plan, machine, {}, visit).complete);
  EXPECT_EQ(disturbed, 2 * plan.rounds);
}

}  // namespace
}  // namespace gable::bench::tests
