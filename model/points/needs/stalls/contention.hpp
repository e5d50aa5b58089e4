#pragma once

// The time of lines that go from core to core because several threads use them at the same time and write
// them: shared counters and locks, or false sharing.

#include <optional>
#include <string>

#include "model/points/needs/needs.hpp"

namespace gable::model {

/// At most, the line comes from another core for each such access, and all wait for the same line one after
/// the other. How many accesses a core does while it has the line is not known, and stores wait in a buffer,
/// so the need is a range that begins at 0. A line takes the measured time of a hand-off or, if there is
/// none, that of a load from memory. Accesses of the OpenMP library do not count: its threads wait for each
/// other (thread_wait). Nothing if no accesses are contested (LevelBytes::contested).
std::optional<Need> contention_need(const Roofs& roofs, const Point& point, int cluster);

/// The name of the object that has most of the contested accesses; empty: no object has half of them.
std::string contended_object(const Point& point);

/// The part of the contested accesses for which the threads use different bytes of the line (false sharing).
double apart_share(const Point& point);

}  // namespace gable::model
