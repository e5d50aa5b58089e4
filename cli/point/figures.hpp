#pragma once

// What counters, clocks and watches say, put into a Point.

#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "points/counters/counts.hpp"
#include "points/residence.hpp"

namespace gable::cli {

/// Flops, precision, share of scalar flops, notes and the counter's name.
void set_flops(model::Point& point, const points::Counts& counts);

/// The bytes that the counter told; false where it cannot tell them.
bool set_bytes(model::Point& point, const points::Work& work);

/// Median of the runs and its interval.
void set_seconds(model::Point& point, const std::vector<double>& seconds);

/// Where its pages were, and how many threads.
void set_residence(model::Point& point, const points::Residence& residence);

/// Of this process's environment, the variables that decide about a program's threads and memory.
std::map<std::string, std::string> environment_that_matters();

/// What each function did, those that did most first.
void set_functions(model::Point& point, const points::Counts& counts);

/// For a point of all clusters, whose work is taken to be shared evenly: a note where its threads did not.
void note_uneven_threads(model::Point& point, const points::Counts& counts);

}  // namespace gable::cli
