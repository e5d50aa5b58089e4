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

}  // namespace
