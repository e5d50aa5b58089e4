#include "model/hybrid_time.hpp"

#include <gtest/gtest.h>

namespace gable::model {
namespace {

HybridFit fit_of(double ls, double lf, double theta_ls_lf) {
  HybridFit fit;
  fit.bandwidths[Transfer::ls].gb_per_s = Estimate{ls, ls, ls, 1};
  fit.bandwidths[Transfer::lf].gb_per_s = Estimate{lf, lf, lf, 1};
  for (const Law law : laws) fit.model(law).theta[Transfer::ls][Transfer::lf].value = theta_ls_lf;
  return fit;
}

Quantities loads(double slow, double fast) {
  Quantities bytes = {};
  bytes[Transfer::ls] = slow;
  bytes[Transfer::lf] = fast;
  return bytes;
}

// Table 6's KNL with table 4's bandwidths, computed by hand.
TEST(HybridTime, IsEquation5) {
  const HybridFit fit = fit_of(38.1, 92.0, 0.611);
  EXPECT_NEAR(*hybrid_seconds(fit, Law::equation5, loads(5e8, 5e8)), 0.0131234 + 0.611 * 0.0054348, 1e-6);
  EXPECT_NEAR(*hybrid_seconds(fit, Law::equation5, loads(1e9, 0)), 1 / 38.1, 1e-12);
  EXPECT_NEAR(*hybrid_seconds(fit, Law::equation5, loads(0, 1e9)), 1 / 92.0, 1e-12);
}

// A quarter in the fast memory: pages alternate over half of the data, and the rest lies in the slow one.
TEST(HybridTime, AddsThePhases) {
  const HybridFit fit = fit_of(40, 100, 0.5);
  const double alternating = 0.25 / 40 + 0.5 * 0.25 / 100, rest = 0.5 / 40;
  EXPECT_NEAR(*hybrid_seconds(fit, Law::phased, loads(0.75e9, 0.25e9)), alternating + rest, 1e-12);
}

TEST(HybridTime, SaysNothingWithoutWhatItNeeds) {
  HybridFit fit = fit_of(40, 100, 0.5);
  EXPECT_FALSE(hybrid_seconds(fit, Law::equation5, loads(1e9, 9e9))) << "θ of (lf, ls) is not known";
  fit.equation5.theta[Transfer::ls][Transfer::lf].value.reset();
  EXPECT_FALSE(hybrid_seconds(fit, Law::equation5, loads(5e8, 5e8)));
  EXPECT_TRUE(hybrid_seconds(fit, Law::phased, loads(5e8, 5e8)));
  Quantities stores = {};
  stores[Transfer::ss] = 1;
  EXPECT_FALSE(hybrid_seconds(fit, Law::equation5, stores)) << "its bandwidth is not known";
  EXPECT_FALSE(transfer_seconds(fit, stores));
}

}  // namespace
}  // namespace gable::model
