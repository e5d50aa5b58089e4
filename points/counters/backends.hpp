#pragma once

// The counters that can count any program, in the order in which they are tried.

#include <span>
#include <string>

#include "points/counters/counts.hpp"

namespace gable::points {

std::span<const Backend> backends();

/// The counter with that name, or for "auto" the first that can count here. Throws CountError, which says
/// what is missing; for "auto" it lists the reasons of all counters.
const Backend& choose_backend(const std::string& name);

}  // namespace gable::points
