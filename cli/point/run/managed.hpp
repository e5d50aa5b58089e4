#pragma once

// The same program under policies of gable kmaf run: a point of each, from the unmanaged one.

#include <string>
#include <vector>

#include "cli/point/run/runs.hpp"

namespace gable::cli {

/// The policies that can be asked for: those of gable kmaf run, but for the OS's own.
std::vector<std::string> managed_policies();

/// Runs the program under a policy as `plan` says; under the oracle's after one more run, of which it knows.
/// Points have the accesses that the policy saw. `unmanaged` is the point that it is from, as it was before
/// its runs. No points where a run could not be managed to its end; standard error then says why. Throws as
/// run_points().
std::vector<model::Point> run_managed_points(RunPlan plan, const model::Point& unmanaged,
                                             const std::string& policy, RepeatedInput& input);

}  // namespace gable::cli
