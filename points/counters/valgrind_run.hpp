#pragma once

// Runs a program with all its descendants under Gable's own Valgrind tool (points/valgrind/).

#include <string>
#include <vector>

#include "points/counters/counts.hpp"
#include "points/counters/valgrind_files.hpp"
#include "points/run.hpp"

namespace gable::points {

struct ValgrindRun {
  Ending ending;                    ///< of the program
  std::vector<ValgrindFile> files;  ///< at least one; one per program image, in order of their start
  std::string said;                 ///< a message from Valgrind itself, one line; empty if there is none
};

/// Whether the tool was built.
bool has_valgrind_tool();

/// `options`: the tool's own ("--functions=yes"); `otherwise`: the alternative for programs that Valgrind
/// cannot run
/// ("--counter pmu"), empty: none. Throws Error::program for a program that Valgrind cannot run or that
/// executed an unsupported instruction, Error::failed if counts are missing for another
/// reason. Does not check the program's exit status.
ValgrindRun run_under_valgrind(const Program& program, const std::vector<std::string>& options,
                               const std::string& otherwise);

/// Throws Error::failed unless every process has written its file, and every replaced image has a successor.
void check_whole(const ValgrindRun& run);

}  // namespace gable::points
