#pragma once

// What a Point does, for forecasts without a profile: by its bytes by level or, if these are not known, by
// the bytes that its instructions access.

#include <string>

#include "model/predict/forecast.hpp"

namespace gable::model {

struct PointProgram {
  Program program;
  std::string note;  ///< a sentence about what is not known of it; empty: nothing
};

/// The program of a Point that was timed as `here` says. Its bytes by level are the same in every setting.
///
/// Without bytes by level, a Point that the memory binds, or may bind, moves what its instructions access. Of
/// other Points it is not known how long they wait for the memory. So the program may not use it at all, or
/// one of these may take all of the time: the memory's bandwidth and, unless a cache or a peak binds the
/// Point, loads that wait for each other or lines without an order (where their rates are known for every
/// memory). If the data fits in a cache and is used many times, the memory transfers it once.
///
/// Throws Error::usage if the Point contradicts the roofs, or if no roof is known for where its data lies.
PointProgram program_of_point(const Setting& here, const Point& point);

}  // namespace gable::model
