#pragma once

// Simulated points: where a program's own point would stand under the policies of a replay.

#include <string>
#include <vector>

#include "kmaf/replay/result.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// The points of DIR/points.json with these names, from which simulated ones can be derived. Throws
/// Error::usage where there is none, std::runtime_error where DIR cannot be written.
std::vector<model::Point> unmanaged_points(const std::string& folder, const std::vector<std::string>& names);

/// How long a program runs under the OS: as long as its point, or as a replay assumes.
double seconds_under_os(const std::vector<model::Point>& unmanaged, const std::string& program);

/// Adds points to DIR/points.json: for every policy, a copy of the program's own point, with the time
/// multiplied by the policy's ratio to the OS. A point for the OS itself is added only if the program's point
/// does not say which memories it accesses. The two intervals count as independent errors. Prints the
/// readings of the points unless `quiet`. Reports on standard error which programs have none, and why.
void record_simulated(const std::string& folder, const std::vector<kmaf::ReplayResult>& programs,
                      const std::vector<model::Point>& unmanaged, bool quiet);

}  // namespace gable::cli
