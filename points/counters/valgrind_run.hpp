#pragma once

// A program under Gable's own Valgrind tool (points/valgrind/), with everything that it starts.

#include <string>
#include <vector>

#include "points/counters/counts.hpp"
#include "points/counters/valgrind_files.hpp"
#include "points/run.hpp"

namespace gable::points {

struct ValgrindRun {
  Ending ending;                    ///< of the program
  std::vector<ValgrindFile> files;  ///< at least one; of the program images, in the order in which they began
  std::string said;                 ///< what Valgrind itself had to say, one line; empty: nothing
};

/// Whether the tool was built.
bool has_valgrind_tool();

/// `options`: the tool's own ("--functions=yes"); `otherwise`: what to use for a program that Valgrind cannot
/// run
/// ("--counter pmu"), empty: there is nothing. Throws ProgramError for a program that cannot be run under
/// Valgrind or that met an instruction which it does not know, CountError for everything else that leaves
/// nothing to read. That the program ended well is not checked.
ValgrindRun run_under_valgrind(const Program& program, const std::vector<std::string>& options,
                               const std::string& otherwise);

/// Throws CountError unless every process has written, and an image that was replaced has a successor.
void check_whole(const ValgrindRun& run);

}  // namespace gable::points
