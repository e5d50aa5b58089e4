#include "model/points/ridge.hpp"

#include <algorithm>
#include <cmath>

#include "model/roofs/attainable.hpp"

namespace gable::model {
namespace {

// The ridge is where it is for so many threads.
bool has_threads_of(const Validation& validation, const Limit& limit) {
  const int threads = validation.roof.threads;
  return threads == 0 || limit.threads == 0 || threads == limit.threads;
}

bool is_of(const Validation& validation, const Reading& reading) {
  const Case& roof = validation.roof;
  const Limit& limit = reading.limit;
  if (limit.kind == Limit::Kind::hybrid || !has_threads_of(validation, limit)) return false;
  if (roof.cluster != reading.cluster || roof.pattern != limit.pattern || roof.level != limit.level)
    return false;
  return limit.kind == Limit::Kind::cache || roof.node == limit.node;
}

double share_of_peak(const Roofs& roofs, const Reading& reading) {
  double best = 0;
  for (const Validation& validation : roofs.validation) {
    if (validation.roof.cluster != reading.cluster || !validation.gb_per_s || !validation.peak_gflop_per_s ||
        !has_threads_of(validation, reading.limit))
      continue;
    const double ridges = reading.flop_per_byte * *validation.gb_per_s / *validation.peak_gflop_per_s;
    if (ridges >= 1) best = std::max(best, attainable_share(validation, ridges));
  }
  return best > 0 ? best : 1;
}

}  // namespace

double attainable_share(const Roofs& roofs, const Reading& reading) {
  if (!std::isfinite(reading.flop_per_byte)) return 1;
  if (reading.limit.kind == Limit::Kind::flops) return share_of_peak(roofs, reading);
  const auto found =
      std::ranges::find_if(roofs.validation, [&](const Validation& one) { return is_of(one, reading); });
  if (found == roofs.validation.end() || !found->peak_gflop_per_s) return 1;
  return attainable_share(*found, reading.flop_per_byte * reading.limit.value / *found->peak_gflop_per_s);
}

}  // namespace gable::model
