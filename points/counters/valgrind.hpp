#pragma once

// The counter `valgrind`: runs the program under Gable's own Valgrind tool (points/valgrind/). It counts
// exactly what instructions request, without hardware counters and without recompiling. The program runs 15
// to 50 times slower, one thread at a time. docs/programs/counters.md defines what is counted.

#include <string>

#include "points/counters/counts.hpp"
#include "points/counters/valgrind_run.hpp"

namespace gable::points {

/// Why it cannot count here, with the package to install or the limit to raise; empty if it can.
std::string valgrind_unavailable();

/// Runs the program and counts it with all its descendants. Throws Error::program if the program cannot be
/// started or fails, Error::failed if counts are missing or incomplete. The result has no `seconds`.
Counts count_with_valgrind(const Program& program);

/// What the files of a run counted, all together with its times, in the name of a counter. Throws
/// Error::failed for a marked region that was not left.
Counts counts_of(ValgrindRun run, std::string_view counter);

inline constexpr Backend valgrind_backend = {"valgrind", valgrind_unavailable, count_with_valgrind};

}  // namespace gable::points
