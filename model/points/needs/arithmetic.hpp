#pragma once

// The time that a Point's arithmetic takes by itself.

#include <vector>

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// What one unit of the cores has to do.
struct UnitTime {
  Limit
      limit;  ///< of the operation that takes most of the time; its value is that of all operations together
  double flops = 0;
};

/// Additions, multiplications and fused ones share units, and divisions and square roots have their own.
/// Each operation takes its flops at the peak of this operation, precision and width of vectors; the times of
/// a unit add up. Where no peak of that width was measured, a narrower vector takes as long as a wider one or
/// less. A Point without `arithmetic` has one unit, with the peaks of additions and fused multiply-adds by
/// its share of these. A Point that uses fewer cores than a peak has threads is compared with their part of
/// it.
std::vector<UnitTime> unit_times(const Roofs& roofs, const Point& point, int cluster);

}  // namespace gable::model
