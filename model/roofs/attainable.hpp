#pragma once

// The share of a roof that programs reach. min(intensity x bandwidth, peak) assumes that loads and FMAs do
// not slow each other down. The validation points (model/roofs/validation.hpp) show how far this holds.

#include <optional>
#include <vector>

#include "model/roofs/validation.hpp"

namespace gable::model {

/// Where a validation falls short of its roof.
struct Shortfall {
  enum class Place { below_ridge, near_ridge, above_ridge };
  Place place = Place::near_ridge;
  double flop_per_byte = 0;       ///< of the point that is farthest from the roof
  double reached_percent = 0;     ///< of its bound; above 100: the point is faster than the roof
  bool within_intervals = false;  ///< the intervals of the point and of the bandwidth explain the difference
  bool partly_overlaps = false;   ///< at least what a core reaches that loads and computes one after another
  bool prefetches = false;        ///< the point's kernel does, and those of roofs do not
};

/// An intensity within this factor of the ridge is near it.
inline constexpr double near_ridge = 2;

/// A validation whose RMS error is larger than this falls short, in percent.
inline constexpr double good_rms_percent = 3;

/// The largest deviation if the RMS error exceeds good_rms_percent; nothing if it does not or is
/// unknown. The interval of the bandwidth is that of the best of `roofs`.
std::optional<Shortfall> shortfall(const Validation& validation, const std::vector<Roof>& roofs);

/// The share of the bound that programs reached at `ridges` times the intensity of the ridge, from 0 to 1:
/// interpolated over the logarithm of the intensity. It is at least share_without_overlap, because a program
/// that reaches less has another problem than loads beside FMAs. 1 if it is not between two ok points.
double attainable_share(const Validation& validation, double ridges);

/// The RMS error of the ok points that are not near the ridge, in percent; nothing if there are none.
std::optional<double> rms_percent_off_ridge(const Validation& validation);

}  // namespace gable::model
