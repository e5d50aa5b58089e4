#pragma once

// Other processes that would disturb a measurement, told before it begins.

#include <string>

#include "bench/plan/plan.hpp"

namespace gable::cli {

/// Watches the machine for a fifth of a second. A line for stderr if other processes or the hypervisor take
/// more than figures tolerate, with the processes that do; empty if not, or if the plan is shorter than this
/// takes.
std::string busy_warning(const bench::Plan& plan);

}  // namespace gable::cli
