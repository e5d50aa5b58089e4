// Figures between cores from their visits, classes of pairs and those that differ, and c2c.jsonl.

#include "model/c2c/classes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "model/json/lines.hpp"
#include "model/records/c2c.hpp"

namespace gable::model {
namespace {

C2cSample handoff(unsigned a, unsigned b, double ns, int round = 0) {
  C2cSample sample;
  sample.spec = {C2cMeasure::handoff, {a, b}, 0, Home::both, {Relation::l3, 0, ""}};
  sample.round = round;
  sample.seconds.assign(8, ns * 1e-6);
  sample.work.assign(8, 1000);
  sample.cpus = {a, b};
  sample.node_bytes = {{0, 4096}};
  sample.started = "2026-01-01T00:00:00Z";
  return sample;
}

C2cSample lock(std::vector<double> by_threads) {
  C2cSample sample;
  sample.spec.measure = C2cMeasure::lock;
  for (unsigned pu = 0; pu < by_threads.size(); ++pu) sample.spec.pus.push_back(pu);
  sample.seconds = {0.5};
  sample.work = {1e7};
  sample.by_threads = std::move(by_threads);
  return sample;
}

TEST(C2cFigures, AreTimesOfPairsAndRatesOfGroups) {
  const auto figures = c2c_figures({handoff(0, 1, 20), lock({1, 1, 1, 1}), handoff(0, 1, 22, 1)});
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_NEAR(figures[0].estimate.value, 21, 1e-9);
  EXPECT_EQ(figures[0].visits, 2);
  EXPECT_NEAR(figures[1].estimate.value, 20, 1e-9);
  EXPECT_EQ(figures[1].fairness, 1);
}

TEST(C2cFigures, FairnessIsThatOfJain) {
  EXPECT_DOUBLE_EQ(fairness_index({1, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(fairness_index({3, 1}), 0.8);
}

TEST(C2cFigures, WithoutAGoodVisitTheReasonRemains) {
  C2cSample sample = handoff(0, 1, 20);
  sample.status = Status::invalid;
  sample.reason = Note("interrupted");
  const auto figures = c2c_figures({sample});
  EXPECT_EQ(figures.at(0).status, Status::invalid);
  EXPECT_EQ(sentence(figures.at(0).reason), "interrupted");
  EXPECT_TRUE(c2c_classes(figures).empty());
  EXPECT_EQ(c2c_figures({sample, handoff(0, 1, 20, 1)}).at(0).status, Status::ok);
}

TEST(C2cClasses, ThePairThatDiffersIsNamedAndLeftOut) {
  std::vector<C2cSample> samples;
  for (unsigned pu = 1; pu < 8; ++pu) samples.push_back(handoff(0, pu, pu == 5 ? 40 : 19.8 + 0.1 * pu));
  const auto figures = c2c_figures(samples);
  const auto outliers = c2c_outliers(figures);
  ASSERT_EQ(outliers.size(), 1u);
  EXPECT_EQ(outliers[0].figure.spec.pus, (std::vector<unsigned>{0, 5}));
  EXPECT_EQ(words_of(outliers[0]).rfind("CPU 0 and 5: 40 ns; same L3: ", 0), 0u);
  const auto classes = c2c_classes(figures);
  ASSERT_EQ(classes.size(), 1u);
  EXPECT_EQ(classes[0].pairs, 6);
  EXPECT_NEAR(classes[0].most, 20.5, 1e-9);
}

TEST(C2cClasses, FewPairsGiveNoInterval) {
  EXPECT_TRUE(c2c_outliers(c2c_figures({handoff(0, 1, 20), handoff(0, 2, 20), handoff(1, 2, 60)})).empty());
}

// Two directions that differ tell nothing of other pairs, whose interval would reach from 0.01 ns to 1 ms.
TEST(C2cClasses, TheIntervalOfOnePairHoldsBothOfItsDirections) {
  std::vector<C2cSample> samples = {handoff(0, 1, 34), handoff(1, 0, 140), handoff(1, 0, 142, 1)};
  const Estimate estimate = c2c_classes(c2c_figures(samples)).at(0).estimate;
  EXPECT_NEAR(estimate.value, 87.5, 1e-9);
  EXPECT_NEAR(estimate.lo, 34, 1e-9);
  EXPECT_GE(estimate.hi, 142 - 1e-9);
  EXPECT_LT(estimate.hi, 200);
  samples.push_back(handoff(0, 2, 60));
  EXPECT_LT(c2c_classes(c2c_figures(samples)).at(0).estimate.lo, 34);
}

// A class whose pairs differ much anyway, as on a mesh, has a wide interval.
TEST(C2cClasses, TheIntervalFollowsTheSpreadOfTheClass) {
  std::vector<C2cSample> samples;
  for (unsigned pu = 1; pu < 20; ++pu) samples.push_back(handoff(0, pu, 40 + 2 * pu));
  EXPECT_TRUE(c2c_outliers(c2c_figures(samples)).empty());
}

TEST(C2cMatrix, TakesTheLineOnTheNodeOfTheFirst) {
  C2cSample elsewhere = handoff(0, 2, 90);
  elsewhere.spec.node = 1;
  elsewhere.spec.home = Home::other;
  C2cSample read = handoff(2, 0, 30);
  read.spec.measure = C2cMeasure::modified;
  const auto figures =
      c2c_figures({handoff(0, 1, 20), handoff(0, 2, 50), handoff(1, 2, 70), elsewhere, read});
  const auto matrix = c2c_matrix(figures, C2cMeasure::handoff, {{0, 1}, {2}});
  EXPECT_NEAR(matrix[0][1], 60, 1e-9) << "the median of both pairs between the groups";
  EXPECT_EQ(matrix[0][1], matrix[1][0]);
  EXPECT_NEAR(matrix[0][0], 20, 1e-9);
  EXPECT_TRUE(std::isnan(matrix[1][1]));
  const auto directed = c2c_matrix(figures, C2cMeasure::modified, {{0}, {1}, {2}});
  EXPECT_NEAR(directed[2][0], 30, 1e-9);
  EXPECT_TRUE(std::isnan(directed[0][2]));
}

TEST(C2cFile, KeepsEveryField) {
  C2cSample pair = handoff(3, 77, 412);
  pair.spec.between = {Relation::machine, 32, "E and P"};
  pair.spec.home = Home::second;
  pair.spec.node = 5;
  pair.disturbed = 2;
  pair.clock_ghz = 3.5;
  pair.adds_per_cycle = 4;
  pair.notes = {Note("a note")};
  for (const C2cSample& sample : {pair, lock({4, 2})})
    EXPECT_EQ(from_line<C2cSample>(to_line(sample), "f:1"), sample);
}

TEST(C2cFile, RefusesWhatContradictsItself) {
  C2cSample one = handoff(1, 1, 20);
  EXPECT_THROW(to_line(one), Error);
  C2cSample three = handoff(1, 2, 20);
  three.spec.pus.push_back(3);
  EXPECT_THROW(to_line(three), Error);
  C2cSample unequal = lock({4, 2});
  unequal.by_threads.push_back(1);
  EXPECT_THROW(to_line(unequal), Error);
}

}  // namespace
}  // namespace gable::model
