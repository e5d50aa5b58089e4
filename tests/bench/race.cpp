// Which variants of a figure get no further visits.

#include "bench/schedule/race.hpp"

#include <gtest/gtest.h>

namespace {

using namespace gable::bench;

Run variant(const char* kernel) {
  Run run;
  run.cases.resize(1);
  run.cases.front().kernel = kernel;
  run.race = "race";
  return run;
}

// Whether the first of two variants is lost, given the rates of their visits.
bool is_lost(const std::vector<double>& mine, const std::vector<double>& theirs) {
  Plan plan;
  plan.runs = {variant("mine"), variant("theirs")};
  Done done;
  for (std::size_t i = 0; i < mine.size(); ++i)
    done[{key(plan.runs[0].cases[0]), static_cast<int>(i)}] = mine[i];
  for (std::size_t i = 0; i < theirs.size(); ++i)
    done[{key(plan.runs[1].cases[0]), static_cast<int>(i)}] = theirs[i];
  return Race(plan).is_lost(plan.runs[0], done);
}

TEST(Race, AVariantThatIsClearlySlowerIsLost) {
  EXPECT_TRUE(is_lost({90, 91}, {100, 101}));
  EXPECT_FALSE(is_lost({98, 99}, {100, 101})) << "within 3 %";
  EXPECT_FALSE(is_lost({100, 101}, {90, 91}));
}

TEST(Race, OneVisitDecidesNothing) {
  EXPECT_FALSE(is_lost({50}, {100, 101}));
  EXPECT_FALSE(is_lost({50, 51}, {100}));
}

// The machine became twice as fast between the visits to both variants in the second round.
TEST(Race, AMachineWithTwoSpeedsDropsNoVariant) {
  EXPECT_FALSE(is_lost({28, 28.1}, {28, 56}));
  EXPECT_FALSE(is_lost({28, 28.1}, {28, 56, 56, 56}));
}

TEST(Race, OneSlowVisitAmongManyKeepsNoLoser) {
  EXPECT_TRUE(is_lost({90, 91}, {60, 100, 100, 100, 100}));
}

// A spot of a subject, its twin and a reserve; the rates of the visits to spot and twin.
struct Judged {
  bool needed = false, compared = false;
};

Judged judged(const std::vector<double>& spot, const std::vector<double>& twin) {
  Plan plan;
  plan.runs = {variant("spot"), variant("twin"), variant("reserve")};
  plan.runs[0].subjects = plan.runs[2].subjects = {"cluster 1"};
  plan.runs[0].twin = key(plan.runs[1].cases[0]);
  plan.runs[2].reserve = true;
  Done done = {{{"another", 0}, 1.0}};
  for (std::size_t i = 0; i < spot.size(); ++i)
    done[{key(plan.runs[0].cases[0]), static_cast<int>(i)}] = spot[i];
  for (std::size_t i = 0; i < twin.size(); ++i)
    done[{key(plan.runs[1].cases[0]), static_cast<int>(i)}] = twin[i];
  const Race race(plan);
  return {race.is_needed(plan.runs[2], done), race.is_compared(plan.runs[2], done)};
}

TEST(Spots, ThatDifferNeedTheReserve) {
  EXPECT_TRUE(judged({90, 91}, {100, 101}).needed);
  EXPECT_FALSE(judged({99, 101}, {100, 102}).needed);
  EXPECT_TRUE(judged({99, 101}, {100, 102}).compared);
}

// The representative could not be measured, so the reserve cannot be like it.
TEST(Spots, WithoutARepresentativeNeedTheReserve) {
  EXPECT_TRUE(judged({90, 91}, {}).needed);
  EXPECT_FALSE(judged({90, 91}, {}).compared);
}

TEST(Spots, ThatCouldNotBeMeasuredShowNothing) {
  for (const Judged& unknown : {judged({}, {100, 101}), judged({}, {}), judged({90}, {100, 101})}) {
    EXPECT_FALSE(unknown.needed);
    EXPECT_FALSE(unknown.compared);
  }
}

}  // namespace
