#pragma once

// How much faster a Point could be until it reaches its roof.

#include <string>

#include "model/points/binding.hpp"

namespace gable::model {

/// Sets the headroom of a Reading from its roof, the interval of that roof, and the share that programs
/// reach. A Point within the interval has no headroom that is sure. If a `higher` roof (0: none) may be the
/// Point's instead, the headroom may reach up to that. Headroom below a roof of `more_threads` than the Point
/// used, or may have used, is not known, unless that roof may bind the Point.
void set_headroom(Reading& reading, bool more_threads, double higher);

/// Whether the headroom tells anything: it is known, and the Point is not so far below its roof that
/// something else limits it.
bool has_headroom(const Reading& reading);

/// "4 %", "100 % (80 to 120 %)", "0 to 16 %" within the interval of the roof, "95 to 168 %" below a roof
/// between two bounds, "not known".
std::string headroom_text(const Reading& reading);

}  // namespace gable::model
