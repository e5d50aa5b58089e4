// Student's t against closed forms, and Holm's method against the closed test.

#include "model/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "model/compare/compare.hpp"

namespace gable::model {
namespace {

TEST(StudentT, AgreesWithClosedForms) {
  for (double t = 0.1; t < 60; t *= 1.3) {
    const double c = std::sqrt(t * t / (4 + t * t));  // of four degrees of freedom, by integration
    const std::pair<double, double> forms[] = {{1, 1 - 2 / std::numbers::pi * std::atan(t)},
                                               {2, 1 - t / std::sqrt(2 + t * t)},
                                               {4, 1 - c * (3 - c * c) / 2},
                                               {1e9, std::erfc(t / std::numbers::sqrt2)}};
    for (const auto& [freedom, p] : forms)
      EXPECT_NEAR(two_sided_p(t, freedom), p, 1e-3 * p + 1e-12) << freedom;
  }
  EXPECT_NEAR(two_sided_p(3, 400), two_sided_p(3, 600), 2e-4);  // no step where the normal one begins
  const std::pair<double, double> table[] = {{1, 12.706}, {2, 4.303},  {4, 2.776},   {9, 2.262},
                                             {19, 2.093}, {30, 2.042}, {120, 1.980}, {1e9, 1.960}};
  for (const auto& [freedom, t] : table) EXPECT_NEAR(critical_t(freedom), t, 0.0006) << freedom;
  for (const double chance : {0.01, 0.05 / 14, 1e-4}) {
    const double one = 1 / std::tan(std::numbers::pi / 2 * chance);
    EXPECT_NEAR(critical_t(1, chance), one, 1e-3 * one);
    const double two = (1 - chance) * std::sqrt(2 / (chance * (2 - chance)));
    EXPECT_NEAR(critical_t(2, chance), two, 1e-3 * two);
  }
}

// Holm's method is the closed test of Bonferroni's: every set of hypotheses with this one is rejected.
TEST(Holm, IsTheClosedTestOfBonferroni) {
  std::mt19937_64 random(11);
  std::exponential_distribution<double> small(20);
  for (int i = 0; i < 200; ++i) {
    const std::size_t n = 1 + i % 8;
    std::vector<double> p(n);
    for (double& one : p) one = std::min(1.0, small(random));
    const std::vector<double> adjusted = holm(p);
    for (std::size_t k = 0; k < n; ++k) {
      double largest = 0;
      for (unsigned set = 0; set < 1U << n; ++set) {
        if ((set >> k & 1) == 0) continue;
        double least = 1;
        for (std::size_t j = 0; j < n; ++j) least = set >> j & 1 ? std::min(least, p[j]) : least;
        largest = std::max(largest, std::min(1.0, least * __builtin_popcount(set)));
      }
      EXPECT_NEAR(adjusted[k], largest, 1e-12);
    }
  }
}

}  // namespace
}  // namespace gable::model
