#pragma once

// What counters, clocks and watches say, put into a Point.

#include <string>
#include <vector>

#include "model/records.hpp"
#include "points/counts.hpp"
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

/// The functions that were counted, with their intensity; those that do most first.
std::string function_table(const points::Counts& counts);

}  // namespace gable::cli
