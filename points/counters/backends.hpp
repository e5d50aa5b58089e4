#pragma once

// The counters that can count any program, in the order in which they are tried.

#include <span>
#include <string>

#include "points/counters/counts.hpp"

namespace gable::points {

std::span<const Backend> backends();

/// The counter with that name, or for "auto" the first that can count here. Throws Error::failed, which says
/// what is missing, and for a counter that was named which one works here; for "auto" it lists the reasons of
/// all counters. `of_regions`: no other counter can count those.
const Backend& choose_backend(const std::string& name, bool of_regions = false);

}  // namespace gable::points
