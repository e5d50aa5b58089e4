#include "model/hybrid/hybrid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/draws.hpp"
#include "tests/model/grids.hpp"

namespace gable::model {
namespace {

constexpr Quantities skylake_bandwidths = {{35.7, 27.1, 81.3, 60.9}};
constexpr Quantities knl_bandwidths = {{82.3, 36.1, 301.7, 182.9}};

struct Machine {
  const char* name;
  Quantities gb_per_s;
  Matrix4 theta;
};
const Machine machines[] = {{"skylake", skylake_bandwidths, skylake_theta},
                            {"knl", knl_bandwidths, knl_theta}};

double worst_theta(const HybridModel& model, const Matrix4& truth, int& determined) {
  double worst = 0;
  determined = 0;
  for (std::size_t x = 0; x < 4; ++x) {
    for (std::size_t y = 0; y < 4; ++y) {
      if (x == y || !model.theta[x][y].value) continue;
      worst = std::max(worst, std::abs(*model.theta[x][y].value - truth[x][y]));
      ++determined;
    }
  }
  return worst;
}

TEST(Hybrid, Equation5IsRecoveredExactly) {
  for (const auto& [name, gb_per_s, truth] : machines) {
    for (const int steps : {10, 11, 23, 50}) {
      const HybridFit fit = fit_hybrid(grid(equation5, gb_per_s, truth, steps));
      int determined = 0;
      EXPECT_LT(worst_theta(fit.model(Law::equation5), truth, determined), 1e-9) << name << " " << steps;
      EXPECT_EQ(determined, 12) << name << " " << steps;
      for (std::size_t x = 0; x < 4; ++x) EXPECT_NEAR(fit.bandwidths[x].gb_per_s->value, gb_per_s[x], 1e-9);
      EXPECT_LT(*fit.model(Law::equation5).errors.held_out_rms_percent, 1e-7);
      EXPECT_LT(*fit.model(Law::equation5).errors.max_percent, 1e-7);
      EXPECT_EQ(fit.best, Law::equation5);
    }
  }
}

TEST(Hybrid, ASinglePureCellIsItsOwnModel) {
  const HybridFit fit = fit_hybrid({cell(mix(1, 0), 0.1)});
  EXPECT_NEAR(fit.bandwidths[Transfer::ls].gb_per_s->value, 40, 1e-9);
  EXPECT_EQ(fit.model(Law::equation5).errors.rms_percent, 0);
  EXPECT_FALSE(fit.model(Law::equation5).errors.held_out_rms_percent);
}

TEST(Hybrid, PhasedIsRecoveredExactly) {
  for (const auto& [name, gb_per_s, truth] : machines) {
    const HybridFit fit = fit_hybrid(grid(two_phases, gb_per_s, truth, 20));
    int determined = 0;
    EXPECT_LT(worst_theta(fit.model(Law::phased), truth, determined), 1e-9) << name;
    EXPECT_GE(determined, 8) << name;
    EXPECT_LT(*fit.model(Law::phased).errors.held_out_rms_percent, 1e-7);
    EXPECT_EQ(fit.best, Law::phased);
    EXPECT_GT(*fit.model(Law::equation5).errors.held_out_rms_percent, 0.1);
  }
}

// Some grids have turnarounds, and some have none: then the terms are 0, and the simpler of two equally good
// laws is the best.
TEST(Hybrid, TurnaroundIsRecoveredExactly) {
  for (const auto& [name, gb_per_s, truth] : machines) {
    for (const Coefficients& coefficients : {Coefficients{0, 0, 0}, {0.8, 0.3, 0.2}, {0, 1.7, -0.4}}) {
      const HybridFit fit = fit_hybrid(grid(with_turns(coefficients), gb_per_s, truth, 20));
      const HybridModel& model = fit.model(Law::turnaround);
      int determined = 0;
      EXPECT_LT(worst_theta(model, truth, determined), 1e-8) << name;
      EXPECT_GE(determined, 8) << name;
      for (std::size_t i = 0; i < coefficients.size(); ++i) {
        ASSERT_TRUE(model.terms[i].value) << sentence(model.terms[i].reason);
        EXPECT_NEAR(*model.terms[i].value, coefficients[i], 1e-8) << name << " " << name_of(terms[i]);
      }
      EXPECT_LT(*model.errors.held_out_rms_percent, 1e-6);
      const bool none = coefficients == Coefficients{0, 0, 0};
      EXPECT_EQ(fit.best, none ? Law::phased : Law::turnaround);
    }
  }
}

TEST(Hybrid, UndeterminedTermsAreNamed) {
  std::vector<Cell> loads_only;
  for (int i = 0; i <= 20; ++i) {
    const Quantities bytes = mix(1, i / 20.0);
    loads_only.push_back(cell(bytes, two_phases(bytes, skylake_bandwidths, skylake_theta)));
  }
  const PerTerm<Parameter> found = fit_hybrid(loads_only).model(Law::turnaround).terms;
  EXPECT_EQ(sentence(found[Term::turns_slow].reason), "no cell has turnarounds of the slow memory");
  EXPECT_EQ(sentence(found[Term::turns_fast].reason), "no cell has turnarounds of the fast memory");
  EXPECT_EQ(sentence(found[Term::contention].reason), "the cells determine only its combination with ls/lf")
      << "in halves one mix alternates, so that both are in proportion";
}

// Only θ that cannot be identified are absent, with a reason.
TEST(Hybrid, UndeterminedThetaAreNamed) {
  std::vector<Cell> loads_only;
  for (int i = 0; i <= 20; ++i) {
    const Quantities bytes = mix(1, i / 20.0);
    loads_only.push_back(cell(bytes, equation5(bytes, skylake_bandwidths, skylake_theta)));
  }
  const HybridFit fit = fit_hybrid(loads_only);
  const Thetas& theta = fit.model(Law::equation5).theta;
  EXPECT_NEAR(*theta[Transfer::ls][Transfer::lf].value, 0.294, 1e-9);
  EXPECT_NEAR(*theta[Transfer::lf][Transfer::ls].value, 0.600, 1e-9);
  EXPECT_FALSE(fit.bandwidths[Transfer::ss].gb_per_s);
  EXPECT_NE(sentence(fit.bandwidths[Transfer::ss].reason).find("stores into the slow memory"),
            std::string::npos);
  EXPECT_EQ(sentence(theta[Transfer::ss][Transfer::lf].reason), "without the bandwidth of ss");
  EXPECT_EQ(sentence(theta[Transfer::ls][Transfer::sf].reason), "without the bandwidth of sf");

  const auto one_ratio = [](double load_share) {
    std::vector<Cell> cells = {cell(mix(1, 0), 1), cell(mix(0, 0), 1), cell(mix(1, 1), 1),
                               cell(mix(0, 1), 1)};
    for (Cell& pure : cells) pure.seconds.value = equation5(pure.bytes, skylake_bandwidths, skylake_theta);
    for (int i = 1; i < 20; ++i) {
      const Quantities bytes = mix(load_share, i / 20.0);
      cells.push_back(cell(bytes, equation5(bytes, skylake_bandwidths, skylake_theta)));
    }
    return fit_hybrid(cells);
  };
  const HybridFit half = one_ratio(0.5);  // ss dominates, then sf; ls and ss move in proportion
  EXPECT_EQ(sentence(half.model(Law::equation5).theta[Transfer::ls][Transfer::lf].reason),
            "ls never dominates beside another transfer");
  EXPECT_NEAR(*half.model(Law::equation5).theta[Transfer::ss][Transfer::ls].value, 0.293, 1e-6);
  EXPECT_FALSE(half.model(Law::equation5).theta[Transfer::ss][Transfer::lf].value);
  EXPECT_EQ(sentence(half.model(Law::equation5).theta[Transfer::ss][Transfer::lf].reason),
            "the cells determine only its combination with ss/sf");
  EXPECT_EQ(sentence(half.model(Law::equation5).theta[Transfer::sf][Transfer::ls].reason),
            "the cells determine only its combination with sf/ss");
  EXPECT_LT(*half.model(Law::equation5).errors.held_out_rms_percent, 1e-6)
      << "what it tells of such mixes is right all the same";
}

// The number of estimates within one and within three standard errors of the truth.
struct Coverage {
  int within_one = 0, within_three = 0, all = 0;

  void add(const Parameter& found, double truth) {
    if (!found.value) return;
    const double off = std::abs(*found.value - truth) / *found.standard_error;
    within_one += off < 1;
    within_three += off < 3;
    ++all;
  }
  void add(const Thetas& found, const Matrix4& truth) {
    for (std::size_t x = 0; x < 4; ++x) {
      for (std::size_t y = 0; y < 4; ++y) {
        if (x != y) add(found[x][y], truth[x][y]);
      }
    }
  }
};

// A standard error is right if the true value is within one of them in about 68 %, and within three in
// about 99.7
// %, of all noisy grids. Each bandwidth comes from a single noisy pure cell, which affects
// parameters too.
void expect_right(const Coverage& coverage, double least, const char* name) {
  EXPECT_GE(coverage.all, least) << name;
  EXPECT_GT(coverage.within_one, 0.60 * coverage.all) << name;
  EXPECT_LT(coverage.within_one, 0.76 * coverage.all) << name;
  EXPECT_GT(coverage.within_three, 0.985 * coverage.all) << name;
}

void expect_coverage(const Machine& machine, int steps, double least_determined) {
  const int grids = tests::draws(60, 200);
  const auto& [name, gb_per_s, truth] = machine;
  Coverage coverage;
  for (unsigned seed = 1; seed <= static_cast<unsigned>(grids); ++seed)
    coverage.add(fit_hybrid(grid(equation5, gb_per_s, truth, steps, 0.01, seed)).model(Law::equation5).theta,
                 truth);
  expect_right(coverage, least_determined * grids * 12, name);
}

TEST(Hybrid, StandardErrorsCover) {
  for (const Machine& machine : machines) {
    expect_coverage(machine, 10, 0.9);
    expect_coverage(machine, 20, 1);
    expect_coverage(machine, 40, 1);
  }
}

// They cover θ and terms, with and without turnarounds.
TEST(Hybrid, StandardErrorsOfTurnaroundCover) {
  const int grids = tests::draws(60, 200);
  for (const auto& [name, gb_per_s, truth] : machines) {
    for (const Coefficients& coefficients : {Coefficients{0, 0, 0}, {0.8, 0.3, 0.2}}) {
      Coverage theta, of_terms;
      for (unsigned seed = 1; seed <= static_cast<unsigned>(grids); ++seed) {
        const HybridModel model = fit_hybrid(grid(with_turns(coefficients), gb_per_s, truth, 20, 0.01, seed))
                                      .model(Law::turnaround);
        theta.add(model.theta, truth);
        for (std::size_t i = 0; i < coefficients.size(); ++i) of_terms.add(model.terms[i], coefficients[i]);
      }
      expect_right(theta, 8 * grids, name);
      expect_right(of_terms, 3 * grids, name);
    }
  }
}

// Exact cells, so that parameters vary with one bandwidth alone: by as much as when the fit is repeated with
// another value of it.
TEST(Hybrid, CovariancesAreThoseOfTheParametersDerivatives) {
  constexpr double step = 1e-6;
  for (const auto& [law, formula] : {std::pair{Law::equation5, Formula(equation5)},
                                     std::pair{Law::turnaround, with_turns({0.8, 0.3, 0.2})}}) {
    for (const Transfer x : transfers) {
      std::vector<Cell> cells = grid(formula, skylake_bandwidths, skylake_theta, 10);
      const auto pure =
          std::ranges::find_if(cells, [&](const Cell& cell) { return cell.bytes[x] == grid_bytes; });
      const double seconds = pure->seconds.value;
      pure->seconds = {seconds, seconds / 1.02, seconds * 1.02, 20};
      const HybridModel before = fit_hybrid(cells).model(law);
      pure->seconds = {seconds * (1 - step), seconds / 1.02, seconds * 1.02, 20};
      const HybridModel after = fit_hybrid(cells).model(law);
      const Covariance& covariance = *before.covariance;
      const double variance = covariance[slot(x, x)][slot(x, x)];
      EXPECT_NEAR(std::sqrt(variance), std::log(1.02) / normal_95, 1e-6);
      const auto expect_derivative = [&](std::size_t at, const Parameter& one, const Parameter& other) {
        if (!one.value) return;
        EXPECT_DOUBLE_EQ(*one.standard_error, std::sqrt(covariance[at][at]));
        EXPECT_NEAR(covariance[at][slot(x, x)] / variance, (*other.value - *one.value) / step, 1e-3) << at;
      };
      for (const Transfer a : transfers) {
        for (const Transfer b : transfers)
          if (a != b) expect_derivative(slot(a, b), before.theta[a][b], after.theta[a][b]);
      }
      if (law != Law::turnaround) continue;
      for (const Term term : terms) expect_derivative(slot(term), before.terms[term], after.terms[term]);
    }
  }
}

}  // namespace
}  // namespace gable::model
