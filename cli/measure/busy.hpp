#pragma once

// Other processes that would disturb a measurement, told before it begins.

#include <string>

namespace gable::cli {

/// Watches the machine for a fifth of a second, and tells if other processes or the hypervisor take more than
/// figures tolerate, with the processes that do and the `consequence`. Does nothing if the measurement takes
/// so few `seconds` that this is not worth its time.
void warn_if_busy(double seconds, const std::string& consequence);

}  // namespace gable::cli
