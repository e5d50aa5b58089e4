#pragma once

// Puts the results of counters and clocks into a Point.

#include <optional>
#include <string>
#include <vector>

#include "model/records/point.hpp"
#include "points/counters/counts.hpp"
#include "points/residence.hpp"
#include "points/run.hpp"
#include "points/samples/by_function.hpp"

namespace gable::cli {

/// Flops, precision, operation, share of scalar flops, notes and the counter's name.
void set_flops(model::Point& point, const points::Counts& counts);

/// The counted bytes; returns false if the counter does not count them.
bool set_bytes(model::Point& point, const points::Work& work);

/// Median of the runs and its interval.
void set_seconds(model::Point& point, const std::vector<double>& seconds);

/// CPU time and page faults, the mean of the runs; nothing if that is too little CPU time to tell the
/// kernel's part.
void set_usage(model::Point& point, const std::vector<Usage>& runs);

/// Both, of runs with `seconds` and `usage`.
template <typename Runs>
void set_times(model::Point& point, const Runs& runs) {
  std::vector<double> seconds;
  std::vector<Usage> usages;
  for (const auto& run : runs) {
    seconds.push_back(run.seconds);
    usages.push_back(run.usage);
  }
  set_seconds(point, seconds);
  set_usage(point, usages);
}

/// The location of its pages.
void set_residence(model::Point& point, const points::Residence& residence);

/// The number of threads that were observed at once, of those that work, or the only one that was counted; 0:
/// not known.
int threads_of(const points::Residence& residence, const std::optional<points::Counts>& counts);

/// The variables in this process's environment that affect a program's threads and memory.
std::map<std::string, std::string> environment_that_matters();

/// The work of each function, largest first.
void set_functions(model::Point& point, const points::Counts& counts);

/// Sets the samples of the Point and of each of its functions.
void set_samples(model::Point& point, const points::FunctionSamples& samples);

/// Adds a note to a point of all clusters if its threads did not share the work evenly, as is assumed.
void note_uneven_threads(model::Point& point, const points::Counts& counts);

}  // namespace gable::cli
