#pragma once

// The time that a Point's arithmetic takes by itself.

#include <optional>
#include <vector>

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// What one unit of the cores has to do.
struct UnitTime {
  Limit
      limit;  ///< of the operation that takes most of the time; its value is that of all operations together
  double flops = 0;
};

/// The operation that measures the scalar one; multiplications are as fast as additions.
Operation scalar_of(const Operation& op);

/// The peak for this arithmetic, measured or estimated from others; nothing if there are none.
std::optional<Limit> arithmetic_peak(const Roofs& roofs, const Point& point, int cluster,
                                     const Arithmetic& work);

/// Additions, multiplications and fused ones share units, and divisions and square roots have their own.
/// Each operation takes its flops at the peak of this operation, precision and width of vectors; the times of
/// a unit add up. Where no peak of that width was measured, a narrower vector takes as long as a wider one or
/// less, and where none of additions or multiplications was, as long as a fused one. A Point without
/// `arithmetic` has one unit, with the peaks of additions and fused multiply-adds by its share of these. A
/// Point that uses fewer cores than a peak has threads is compared with their part of it.
std::vector<UnitTime> unit_times(const Roofs& roofs, const Point& point, int cluster);

}  // namespace gable::model
