#pragma once

// How closely programs of every arithmetic intensity reach the roofs (LARM paper, section 4.2.1 and
// footnote 5).

#include <optional>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// What was measured at one arithmetic intensity, and what the roofs allow there.
struct ValidationPoint {
  Roof measured;     ///< kind "validation", GFlop/s
  double bound = 0;  ///< min(intensity x bandwidth, FMA peak), GFlop/s; 0 where one of them is not known

  bool operator==(const ValidationPoint&) const = default;
};

/// The points of one bandwidth roof.
struct Validation {
  Case roof;  ///< the load roof: cluster, level, pattern, node, tier
  std::optional<double> gb_per_s;
  std::optional<double> peak_gflop_per_s;  ///< double precision; without it nothing is bounded: where the
                                           ///< roof bends is not known
  std::vector<ValidationPoint> points;     ///< by ascending intensity
  // Of y the measured and ŷ the bound, over the points that are ok; absent where there is none.
  std::optional<double> paper_percent;  ///< footnote 5 as printed: 100/n sqrt(Σ ((y-ŷ)/ŷ)²), √n too small
  std::optional<double> rms_percent;    ///< 100 sqrt(Σ ((y-ŷ)/ŷ)² / n)
  std::optional<double> max_percent;    ///< the largest 100 |y-ŷ|/ŷ

  bool operator==(const Validation&) const = default;
};

/// The points among `measured` (kind "validation") under the best of `roofs`, one Validation for each roof in
/// the order in which they first appear. Of one intensity the best ok point counts, as for every roof.
std::vector<Validation> validate(const std::vector<Roof>& measured, const std::vector<Roof>& roofs);

}  // namespace gable::model
