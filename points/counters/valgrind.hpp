#pragma once

// The counter `valgrind`: runs the program under Gable's own Valgrind tool (points/valgrind/). It counts
// exactly what instructions request, without hardware counters and without recompiling. The program runs 15
// to 50 times slower, one thread at a time. docs/counters.md defines what is counted.

#include <string>

#include "points/counters/counts.hpp"

namespace gable::points {

/// Why it cannot count here, with the package to install; empty if it can.
std::string valgrind_unavailable();

/// Runs the program and counts it with all its descendants. Throws Error::program if the program cannot be
/// started or fails, Error::failed if counts are missing or incomplete. The result has no `seconds`.
Counts count_with_valgrind(const Program& program);

inline constexpr Backend valgrind_backend = {"valgrind", valgrind_unavailable, count_with_valgrind};

}  // namespace gable::points
