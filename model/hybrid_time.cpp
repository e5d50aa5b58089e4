#include "model/hybrid_time.hpp"

namespace gable::model {

std::optional<Quantities> transfer_seconds(const HybridFit& fit, const Quantities& bytes) {
  Quantities seconds = {};
  for (const Transfer x : transfers) {
    if (bytes[x] <= 0) continue;
    if (!fit.bandwidths[x].gb_per_s) return std::nullopt;
    seconds[x] = bytes[x] / (fit.bandwidths[x].gb_per_s->value * 1e9);
  }
  return seconds;
}

std::optional<double> hybrid_seconds(const HybridFit& fit, Law law, const Quantities& bytes) {
  double sum = 0;
  for (const Quantities& phase : phases_of(bytes, law)) {
    const std::optional<Quantities> seconds = transfer_seconds(fit, phase);
    if (!seconds) return std::nullopt;
    const Transfer x = dominating(*seconds);
    sum += (*seconds)[x];
    for (const Transfer y : transfers) {
      if (y == x || (*seconds)[y] <= 0) continue;
      const std::optional<double>& theta = fit.model(law).theta[x][y].value;
      if (!theta) return std::nullopt;
      sum += *theta * (*seconds)[y];
    }
  }
  return sum;
}

}  // namespace gable::model
