#pragma once

// What binds a Point whose bytes by level are known, from its needs.

#include "model/points/binding.hpp"

namespace gable::model {

/// The largest need binds the Point if it takes `bound_from_percent` of the time or more. If another one may
/// take as much, both may bind it, and the first of them is the Reading's roof. If all take less than
/// `far_below_percent`, nothing that is known here binds it, and the headroom is not known. `reading` has the
/// cluster and the rates.
Reading read_needs(const Roofs& roofs, const Point& point, Reading reading, const MixModel& hybrid);

}  // namespace gable::model
