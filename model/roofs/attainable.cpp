#include "model/roofs/attainable.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/roofs/best.hpp"

namespace gable::model {
namespace {

struct Reached {
  double ridges = 0;  // intensity / that of the ridge
  double share = 0;   // of the bound
  const ValidationPoint* point = nullptr;
};

// The ok points, by ascending intensity; none where the ridge is unknown.
std::vector<Reached> reached_points(const Validation& validation) {
  std::vector<Reached> found;
  if (!validation.gb_per_s || !validation.peak_gflop_per_s) return found;
  const double ridge = *validation.peak_gflop_per_s / *validation.gb_per_s;
  for (const ValidationPoint& point : validation.points) {
    const double intensity = point.measured.spec.flop_per_byte;
    if (!counts(point)) continue;
    found.push_back({intensity / ridge, point.measured.value / point.bound, &point});
  }
  return found;
}

bool is_near_ridge(double ridges) {
  return ridges > 1 / near_ridge && ridges < near_ridge;
}

Shortfall::Place place_of(double ridges) {
  if (is_near_ridge(ridges)) return Shortfall::Place::near_ridge;
  return ridges < 1 ? Shortfall::Place::below_ridge : Shortfall::Place::above_ridge;
}

// Whether the point and its bound differ by less than their intervals. The peak is sure.
bool lies_within_intervals(const ValidationPoint& point, const Validation& validation,
                           const std::vector<Roof>& roofs) {
  const Roof* roof = best_roof(roofs, validation.roof);
  if (roof == nullptr) return false;
  const double peak = *validation.peak_gflop_per_s;
  const double intensity = point.measured.spec.flop_per_byte;
  return point.measured.hi >= std::min(intensity * roof->lo, peak) &&
         point.measured.lo <= std::min(intensity * roof->hi, peak);
}

// The share of the bound that a core reaches if it loads and computes one after another, at `ridges` times
// the intensity of the ridge: 1/2 at the ridge, near 1 far from it.
double share_without_overlap(double ridges) {
  return 1 / (1 + std::min(ridges, 1 / ridges));
}

}  // namespace

std::optional<Shortfall> shortfall(const Validation& validation, const std::vector<Roof>& roofs) {
  if (!validation.rms_percent || *validation.rms_percent <= good_rms_percent) return std::nullopt;
  const std::vector<Reached> points = reached_points(validation);
  // Points that the intervals do not explain come first.
  const auto rank = [&](const Reached& reached) {
    return std::pair(!lies_within_intervals(*reached.point, validation, roofs), std::abs(reached.share - 1));
  };
  const auto farthest = std::ranges::max_element(points, {}, rank);
  if (farthest == points.end()) return std::nullopt;
  const Case& spec = farthest->point->measured.spec;
  return Shortfall{place_of(farthest->ridges),
                   spec.flop_per_byte,
                   100 * farthest->share,
                   !rank(*farthest).first,
                   farthest->share >= share_without_overlap(farthest->ridges),
                   without_prefetch(spec.op) != spec.op};
}

double attainable_share(const Validation& validation, double ridges) {
  const std::vector<Reached> points = reached_points(validation);
  const auto after =
      std::ranges::find_if(points, [&](const Reached& point) { return point.ridges >= ridges; });
  if (after == points.end() || (after == points.begin() && after->ridges > ridges)) return 1;
  double share = after->share;
  if (after->ridges > ridges) {
    const Reached& before = *(after - 1);
    const double part = std::log(ridges / before.ridges) / std::log(after->ridges / before.ridges);
    share = before.share + part * (after->share - before.share);
  }
  return std::clamp(share, share_without_overlap(ridges), 1.0);
}

std::optional<double> rms_percent_off_ridge(const Validation& validation) {
  double squares = 0;
  int n = 0;
  for (const Reached& point : reached_points(validation)) {
    if (is_near_ridge(point.ridges)) continue;
    squares += (point.share - 1) * (point.share - 1);
    ++n;
  }
  if (n == 0) return std::nullopt;
  return 100 * std::sqrt(squares / n);
}

}  // namespace gable::model
