#include "model/hybrid/predict.hpp"

#include <gtest/gtest.h>

#include "model/hybrid/phases.hpp"
#include "tests/model/grids.hpp"

namespace gable::model {
namespace {

constexpr Quantities known_gb_per_s = {{40, 25, 80, 60}};
constexpr Quantities uneven_gb_per_s = {
    {40.3, 25.1, 83.3, 59.9}};  // no weights give two transfers the same time

constexpr Coefficients coefficients = {0.8, 0.3, 0.2};

// Models with only known parameters.
HybridFit known_fit(const Matrix4& theta, const Quantities& bandwidths = known_gb_per_s) {
  HybridFit fit;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    fit.model(Law::turnaround).terms[i].value = coefficients[i];
  for (std::size_t x = 0; x < 4; ++x) {
    fit.bandwidths[x].gb_per_s = Estimate{bandwidths[x], bandwidths[x], bandwidths[x], 9};
    for (std::size_t y = 0; y < 4; ++y) {
      if (x == y) continue;
      for (const Law law : laws) fit.model(law).theta[x][y].value = theta[x][y];
    }
  }
  return fit;
}

// 8 GB loaded from each, 2 GB stored into the fast one: t = 0.2, 0.1 and 0.0333 s, so ls dominates; of the
// others 0.294 and 0.465 are not hidden.
TEST(Predict, AgreesWithAHandComputation) {
  const HybridFit fit = known_fit(skylake_theta);
  const Prediction prediction = predict(fit, {{8e9, 0, 8e9, 2e9}});
  ASSERT_TRUE(prediction.seconds);
  EXPECT_NEAR(*prediction.seconds, 0.2 + 0.294 * 0.1 + 0.465 * 2.0 / 60, 1e-12);
  EXPECT_NEAR(*prediction.gb_per_s(), 18 / (0.2 + 0.0294 + 0.0155), 1e-9);
  EXPECT_NEAR(*prediction.t_min, 0.2, 1e-12);
  EXPECT_NEAR(*prediction.t_max, 0.3 + 2.0 / 60, 1e-12);
  ASSERT_EQ(prediction.phases.size(), 1u);
  EXPECT_EQ(prediction.phases[0].dominating, Transfer::ls);
  EXPECT_NEAR(prediction.phases[0].exposed[Transfer::lf], 0.0294, 1e-12);
  EXPECT_FALSE(prediction.lo) << "no interval without an error";
}

// 4 GB loaded from the slow memory, 12 GB from the fast one; 3 GB stored into the slow one and 1 GB into the
// fast one. In the first half loads and stores alternate; then loads come from the fast memory and stores
// go to the slow one. First half: 4 + 4 GB loads and 1 + 1 GB stores; second half: 8 GB fast loads, 2 GB slow
// stores.
TEST(Predict, PhasesEndWithTheAlternationOfEachBuffer) {
  const HybridFit fit = known_fit(skylake_theta);
  const Prediction halves = predict(fit, Law::phased, {{4e9, 3e9, 12e9, 1e9}});
  const double first = 4.0 / 40 + 0.373 * 1 / 25 + 0.294 * 4 / 80 + 0.465 * 1 / 60;
  const double second = 8.0 / 80 - 0.102 * 2 / 25;
  ASSERT_EQ(halves.phases.size(), 2u);
  EXPECT_NEAR(*halves.seconds, first + second, 1e-12);

  // Rounding to pages does not create a phase.
  const Prediction rounded = predict(fit, Law::phased, {{4e9, 1.001e9, 12e9, 2.999e9}});
  EXPECT_EQ(rounded.phases.size(), 2u);
  EXPECT_NEAR(rounded.phases[0].bytes[Transfer::ss] + rounded.phases[1].bytes[Transfer::ss], 1.001e9, 1);

  // Loads alternate throughout, stores never: one phase. Loads for a quarter, stores for half: three.
  EXPECT_EQ(predict(fit, Law::phased, {{4e9, 3e9, 4e9, 0}}).phases.size(), 1u);
  const Prediction three = predict(fit, Law::phased, {{1e9, 1e9, 7e9, 3e9}});
  ASSERT_EQ(three.phases.size(), 3u);
  Quantities sum = {};
  for (const PhaseBound& phase : three.phases) {
    for (std::size_t x = 0; x < 4; ++x) sum[x] += phase.bytes[x];
  }
  for (std::size_t x = 0; x < 4; ++x) EXPECT_NEAR(sum[x], (Quantities{{1e9, 1e9, 7e9, 3e9}})[x], 1);
}

TEST(Predict, AgreesWithTheFormulasForAnyMix) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> share(0, 1);
  for (const Matrix4& theta : {skylake_theta, knl_theta}) {
    const HybridFit fit = known_fit(theta);
    for (int i = 0; i < 1000; ++i) {
      const Quantities split_alike = mix(share(random), share(random));
      EXPECT_NEAR(
          *predict(fit, Law::phased, split_alike).seconds / two_phases(split_alike, known_gb_per_s, theta), 1,
          1e-9);
      const Quantities any = {{share(random), share(random), share(random), share(random)}};
      const Prediction prediction = predict(fit, Law::equation5, any);
      EXPECT_NEAR(*prediction.seconds / equation5(any, known_gb_per_s, theta), 1, 1e-9);
      EXPECT_EQ(*predict(fit, Law::phased, any, Layout::weighted).seconds, *prediction.seconds);
      const Prediction turning = predict(fit, Law::turnaround, split_alike);
      EXPECT_NEAR(*turning.seconds / with_turns(coefficients)(split_alike, known_gb_per_s, theta), 1, 1e-9);
      double sum = 0;
      for (const PhaseBound& phase : turning.phases) sum += phase.seconds();
      EXPECT_NEAR(sum, *turning.seconds, 1e-12);
      EXPECT_LE(*prediction.t_min, *prediction.t_max);
    }
  }
}

// The time of a mix that stays the same throughout.
double constant_mix(Law law, const Quantities& bytes, const Matrix4& theta) {
  double seconds = equation5(bytes, uneven_gb_per_s, theta);
  if (law != Law::turnaround) return seconds;
  const Coefficients of_terms = terms_of(bytes, uneven_gb_per_s);
  for (std::size_t i = 0; i < of_terms.size(); ++i) seconds += coefficients[i] * of_terms[i];
  return seconds;
}

class PredictWeights : public testing::TestWithParam<Law> {};

TEST_P(PredictWeights, AreTheBestOfAll) {
  for (const Matrix4& theta : {skylake_theta, knl_theta}) {
    HybridFit fit = known_fit(theta, uneven_gb_per_s);
    fit.best = GetParam();
    for (const double load_share : {0.0, 0.25, 0.5, 2.0 / 3, 1.0}) {
      const auto rate = [&](int slow, int fast) {
        const Quantities bytes = mix(load_share, 1.0 * fast / (slow + fast));
        return grid_bytes / constant_mix(GetParam(), bytes, theta) / 1e9;
      };
      double best = std::max(rate(1, 0), rate(0, 1));
      for (int slow = 1; slow <= 255; ++slow) {
        for (int fast = 1; fast <= 255; ++fast) best = std::max(best, rate(slow, fast));
      }
      std::string reason;
      const auto weights = model_weights(fit, load_share, reason);
      ASSERT_TRUE(weights) << reason;
      const auto& [slow, fast] = *weights;
      EXPECT_GE(rate(slow, fast), 0.999 * best * (1 - 1e-9)) << slow << ":" << fast;
      for (int other = 1; other < slow + fast; ++other) {
        for (int part = 0; part <= other; ++part)
          EXPECT_LT(rate(part, other - part), 0.999 * best) << "smaller weights are as good: " << part;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, PredictWeights, testing::ValuesIn(laws),
                         [](const auto& law) { return name_of(law.param); });

// The best law is used; if it cannot predict, the one with the smallest error among those that can.
TEST(Predict, TheLawWithTheLeastErrorAnswers) {
  HybridFit fit = known_fit(skylake_theta);
  fit.best = Law::turnaround;
  fit.model(Law::turnaround).errors.held_out_rms_percent = 1;
  fit.model(Law::phased).errors.held_out_rms_percent = 2;
  fit.model(Law::equation5).errors.held_out_rms_percent = 3;
  const Quantities both = {{3e9, 1e9, 5e9, 2e9}}, loads = {{3e9, 0, 5e9, 0}};
  EXPECT_EQ(predict(fit, both).law, Law::turnaround);
  fit.model(Law::turnaround).terms[Term::turns_slow] = {{}, {}, Note("because")};
  const Prediction unknown = predict(fit, Law::turnaround, both);
  EXPECT_FALSE(unknown.seconds);
  EXPECT_EQ(unknown.reason, "the cost of turnarounds of the slow memory is not known: because");
  EXPECT_EQ(predict(fit, both).law, Law::phased);
  EXPECT_EQ(predict(fit, loads).law, Law::turnaround) << "loads alone never turn";
  fit.model(Law::equation5).errors.held_out_rms_percent = 1.5;
  EXPECT_EQ(predict(fit, both).law, Law::equation5);
}

TEST(Predict, WhatIsNotKnownIsSaid) {
  HybridFit fit = known_fit(skylake_theta);
  fit.best = Law::phased;
  fit.model(Law::phased).theta[Transfer::lf][Transfer::ls] = {{}, {}, Note("because")};
  const Quantities fast_first = {{1e9, 0, 7e9, 4e9}};
  const Prediction phased = predict(fit, Law::phased, fast_first, Layout::weighted);
  EXPECT_FALSE(phased.seconds);
  EXPECT_NE(phased.reason.find("how much of the loads from the slow memory is hidden by the loads from the "
                               "fast memory is not known: because"),
            std::string::npos);
  EXPECT_TRUE(phased.t_min && phased.t_max);
  EXPECT_EQ(predict(fit, fast_first, Layout::weighted).law, Law::equation5) << "the other model knows";
  EXPECT_EQ(predict(fit, fast_first).law, Law::phased) << "in two phases lf never dominates while ls happens";
  std::string reason;
  EXPECT_TRUE(model_weights(fit, 1, reason));

  fit.bandwidths[Transfer::sf] = {{}, Note("no cell")};
  EXPECT_NE(predict(fit, fast_first)
                .reason.find("the bandwidth of stores into the fast memory is not known: no cell"),
            std::string::npos);
  EXPECT_FALSE(model_weights(fit, 0.5, reason));
  EXPECT_NE(reason.find("the bandwidth of stores into the fast memory is not known"), std::string::npos);
  EXPECT_TRUE(model_weights(fit, 1, reason)) << "loads alone need no bandwidth of stores";
}

TEST(Predict, EveryTimeOfAMeasuredModelLiesInItsInterval) {
  const HybridFit fit = fit_hybrid(grid(equation5, known_gb_per_s, skylake_theta, 12, 0.01, 1));
  for (double loads = 0.05; loads < 1; loads += 0.1) {
    for (double slow = 0.05; slow < 1; slow += 0.1) {
      const Prediction prediction = predict(fit, Law::equation5, mix(loads, slow));
      ASSERT_TRUE(prediction.seconds && prediction.lo && prediction.hi) << loads << " " << slow;
      EXPECT_LT(*prediction.lo, *prediction.seconds);
      EXPECT_GT(*prediction.hi, *prediction.seconds);
    }
  }
}

// 95 % of further measurements with the grid's noise are in their intervals.
TEST(Predict, IntervalsHoldFurtherMeasurements) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> share(0, 1);
  std::normal_distribution<double> error(0, 0.01);
  int inside = 0, all = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const HybridFit fit = fit_hybrid(grid(equation5, known_gb_per_s, skylake_theta, 12, 0.01, seed));
    for (int i = 0; i < 50; ++i) {
      const Quantities bytes = mix(share(random), share(random));
      const double margin_left = margin(times_of(bytes, known_gb_per_s)).log_ratio;
      const Prediction prediction = predict(fit, Law::equation5, bytes);
      if (margin_left < 0.1 || !prediction.lo)
        continue;  // the model jumps where the dominating transfer changes
      const double measured = equation5(bytes, known_gb_per_s, skylake_theta) * (1 + error(random));
      inside += *prediction.lo <= measured && measured <= *prediction.hi;
      ++all;
    }
  }
  EXPECT_GT(all, 3000);
  EXPECT_GT(inside, 0.93 * all);
  EXPECT_LT(inside, 0.995 * all);
}

Formula formula_of(Law law) {
  return law == Law::equation5 ? Formula(equation5)
                               : with_turns(law == Law::turnaround ? coefficients : Coefficients{0, 0, 0});
}

// The stated interval contains the true value of at least nine mixes in ten, for every law, even if two
// transfers are almost equally long and noise decides which seems to dominate.
TEST(Predict, IntervalsHoldTheTruthWhereTheDominatingTransferChanges) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> share(0, 1);
  int inside = 0, all = 0, inside_near = 0, near = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    for (const Law law : laws) {
      const Formula formula = formula_of(law);
      const Matrix4& theta = seed % 2 == 0 ? skylake_theta : knl_theta;
      const HybridFit fit = fit_hybrid(grid(formula, known_gb_per_s, theta, 12, 0.02, seed));
      for (int i = 0; i < 400; ++i) {
        const Quantities bytes = mix(share(random), share(random));
        double closest = 1;
        for (const Quantities& part : phases_of(bytes, law))
          closest = std::min(closest, margin(times_of(part, known_gb_per_s)).log_ratio);
        const bool is_near = closest < 0.03;
        if (!is_near && i >= 60) continue;
        const Prediction prediction = predict(fit, law, bytes);
        if (!prediction.lo) continue;
        const double truth = formula(bytes, known_gb_per_s, theta);
        const bool in = *prediction.lo <= truth && truth <= *prediction.hi;
        (is_near ? inside_near : inside) += in;
        ++(is_near ? near : all);
      }
    }
  }
  EXPECT_GT(near, 1000);
  EXPECT_GT(inside_near, 0.9 * near) << inside_near << " of " << near;
  EXPECT_GT(inside, 0.9 * all) << inside << " of " << all;
}

}  // namespace
}  // namespace gable::model
