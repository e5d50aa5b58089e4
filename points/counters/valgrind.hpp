#pragma once

// The counter `valgrind`: runs the program under Gable's own Valgrind tool (points/valgrind/). Exact counts
// of what instructions ask for, without hardware counters and without recompiling; 15 to 50 times slower,
// threads one at a time. docs/points.md says what counts as what.

#include <string>

#include "points/counters/counts.hpp"

namespace gable::points {

/// Why it cannot count here, with the package to install; empty: it can.
std::string valgrind_unavailable();

/// Runs the program and counts it with everything that it starts. Throws ProgramError where the program
/// cannot be started or does not end well, CountError where the counts are not to be had or not whole. There
/// are no `seconds`.
Counts count_with_valgrind(const Program& program);

inline constexpr Backend valgrind_backend = {"valgrind", valgrind_unavailable, count_with_valgrind};

}  // namespace gable::points
