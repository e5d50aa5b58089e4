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

/// Adds to DIR/points.json, for every policy, a program's own point with its time multiplied by the policy's
/// ratio to the OS; for the OS itself only if nothing tells which memories the program accesses; both
/// intervals count as independent errors. Prints their readings unless `quiet`. Standard error says which
/// programs have none, and why.
void record_simulated(const std::string& folder, const std::vector<kmaf::ReplayResult>& programs,
                      const std::vector<model::Point>& unmanaged, bool quiet);

}  // namespace gable::cli
