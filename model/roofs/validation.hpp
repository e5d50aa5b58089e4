#pragma once

// How closely programs of every arithmetic intensity reach the roofs (LARM paper, section 4.2.1 and
// footnote 5).

#include <optional>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// The measurement at one arithmetic intensity, and the bound that the roofs set there.
struct ValidationPoint {
  Roof measured;     ///< kind "validation", GFlop/s
  double bound = 0;  ///< min(intensity x bandwidth, FMA peak), GFlop/s; 0 if one of them is unknown

  bool operator==(const ValidationPoint&) const = default;
};

/// Whether the point was measured in the same state of the machine as its bound, and that bound is known.
bool counts(const ValidationPoint& point);

/// The points of one bandwidth roof.
struct Validation {
  Case roof;  ///< the load roof: cluster, level, pattern, node, tier
  std::optional<double> gb_per_s;
  std::optional<double>
      peak_gflop_per_s;  ///< double precision; without it no bound is known, because the ridge point is not
  std::vector<ValidationPoint> points;  ///< by ascending intensity
  // y is the measurement and ŷ the bound of each point that counts; absent if there are none.
  std::optional<double> paper_percent;  ///< footnote 5 as printed: 100/n sqrt(Σ ((y-ŷ)/ŷ)²), √n too small
  std::optional<double> rms_percent;    ///< 100 sqrt(Σ ((y-ŷ)/ŷ)² / n)
  std::optional<double> max_percent;    ///< the largest 100 |y-ŷ|/ŷ

  bool operator==(const Validation&) const = default;
};

/// The points among `measured` (kind "validation") under the best of `roofs`: one Validation per roof, in the
/// order of their first points. For each intensity the best ok point counts, as for every roof.
std::vector<Validation> validate(const std::vector<Roof>& measured, const std::vector<Roof>& roofs);

}  // namespace gable::model
