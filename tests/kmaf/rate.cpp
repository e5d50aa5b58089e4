// The sampling rate: falls while calm, rises when stale, stays within the budget.

#include "kmaf/engine/rate.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gable::kmaf {
namespace {

const RateLimits limits{10, 10000, 0.01, 1e-6};

// A tenth of a second of one CPU at the controller's rate.
Interval interval_of(const RateController& controller, double remote, double moves) {
  Interval interval;
  interval.seconds = interval.cpu_seconds = 0.1;
  interval.samples = static_cast<std::uint64_t>(0.1 * controller.per_second());
  interval.looked_at = interval.samples;
  interval.remote = static_cast<std::uint64_t>(remote * static_cast<double>(interval.samples));
  interval.moves = static_cast<std::uint64_t>(moves * static_cast<double>(interval.samples));
  interval.spent_seconds = 1e-6 * static_cast<double>(interval.samples);
  return interval;
}

TEST(Rate, FallsWhileNothingChanges) {
  RateController controller(limits);
  double last = controller.per_second();
  EXPECT_EQ(last, 10000);
  for (int i = 0; i < 20; ++i) {
    controller.observe(interval_of(controller, 0.1, 0));
    EXPECT_LT(controller.per_second(), last);
    last = controller.per_second();
  }
  EXPECT_LT(last, 2000);
}

TEST(Rate, RisesWhenPagesMove) {
  RateController controller(limits);
  for (int i = 0; i < 20; ++i) controller.observe(interval_of(controller, 0.1, 0));
  const double calm = controller.per_second();
  controller.observe(interval_of(controller, 0.1, 0.2));
  EXPECT_GT(controller.per_second(), 1.5 * calm);
}

TEST(Rate, RisesWhenAccessesBecomeRemote) {
  RateController controller(limits);
  for (int i = 0; i < 20; ++i) controller.observe(interval_of(controller, 0.1, 0));
  const double calm = controller.per_second();
  controller.observe(interval_of(controller, 0.4, 0));
  EXPECT_GT(controller.per_second(), 1.5 * calm);
}

struct Total {
  double spent = 0, cpu = 0;
  void observe(RateController& controller, const Interval& interval) {
    spent += interval.spent_seconds;
    cpu += interval.cpu_seconds;
    controller.observe(interval);
  }
  double share() const { return spent / cpu; }
};

// If fewer samples arrive than requested, the rate is not reduced for fixed costs; the
// total stays within the budget.
TEST(Rate, WhatComesAnywayIsNotTheSamplesCost) {
  RateController controller(limits);
  Total total;
  for (int i = 0; i < 100; ++i) {
    Interval interval = interval_of(controller, 0.1, 0.5);
    interval.samples = interval.looked_at = 20;
    interval.moves = 10;
    interval.fixed_seconds = 5e-4;  // half of the budget
    interval.spent_seconds = interval.fixed_seconds + 20e-6;
    total.observe(controller, interval);
  }
  EXPECT_GE(controller.per_second(), 5000);
  EXPECT_LE(total.share(), 0.01);
}

// In a burst one sample in ten is processed: shares refer to these.
TEST(Rate, RisesInABurstToo) {
  RateController controller(limits);
  for (int i = 0; i < 20; ++i) controller.observe(interval_of(controller, 0.1, 0));
  const double calm = controller.per_second();
  Interval burst = interval_of(controller, 0.4, 0);
  burst.samples *= 10;
  burst.spent_seconds = 0;
  controller.observe(burst);
  EXPECT_GT(controller.per_second(), 1.5 * calm);
}

TEST(Rate, StaysRemoteWhereItAlwaysWas) {
  RateController controller(limits);
  for (int i = 0; i < 20; ++i) controller.observe(interval_of(controller, 0.7, 0));
  EXPECT_LT(controller.per_second(), 2000) << "data that all share is remote for most, for ever";
}

TEST(Rate, KeepsWithinItsLimits) {
  RateController controller(limits);
  for (int i = 0; i < 60; ++i) controller.observe(interval_of(controller, 0.1, 0));
  EXPECT_GE(controller.per_second(), 10);
  for (int i = 0; i < 60; ++i) controller.observe(interval_of(controller, 0.1, 0.5));
  EXPECT_LE(controller.per_second(), 10000);
}

// For any cost of a sample, the final share is at most the budget.
TEST(Rate, HonoursTheBudget) {
  for (const double cost : {1e-7, 1e-6, 1e-5, 1e-4}) {
    for (const double moves : {0.0, 0.5}) {
      RateLimits all = limits;
      all.most_per_second = 1e6;
      all.least_per_second = 1;
      RateController controller(all);
      Total total;
      for (int i = 0; i < 400; ++i) {
        Interval interval = interval_of(controller, 0.1, moves);
        interval.spent_seconds = cost * static_cast<double>(interval.samples);
        total.observe(controller, interval);
      }
      EXPECT_LE(total.share(), 0.0105) << cost << " s a sample, " << moves << " moves";
    }
  }
}

TEST(Rate, ComesBackFromNothing) {
  RateController controller(limits);
  Interval costly = interval_of(controller, 0, 0.5);
  costly.spent_seconds = 0.02;
  controller.observe(costly);
  EXPECT_EQ(controller.per_second(), 0);
  for (int i = 0; i < 100; ++i) controller.observe(interval_of(controller, 0, 0.5));
  EXPECT_GT(controller.per_second(), 100);
}

TEST(Rate, RefusesInvalidConfigurations) {
  EXPECT_THROW(RateController({10, 5, 0.01, 0}), std::invalid_argument);
  EXPECT_THROW(RateController({1, 5, 0, 0}), std::invalid_argument);
  EXPECT_THROW(RateController({-1, 5, 0.01, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace gable::kmaf
