#pragma once

// gable kmaf trace: a program's accesses to memory, for gable kmaf metrics and replay.

#include <string>
#include <vector>

#include "points/counters/valgrind_trace.hpp"

namespace gable::cli {

struct KmafTraceArguments {
  std::string output;                ///< file; binary if its name ends in .trace, else CSV
  std::string bursts;                ///< "N/M": of every M accesses the first N; empty: all
  std::vector<std::string> command;  ///< the program and its arguments
  points::TraceOptions trace;        ///< its file and bursts are set from the fields above
};

/// Runs the program and writes its accesses. Throws Error::usage, Error::program.
void trace_program(KmafTraceArguments arguments);

}  // namespace gable::cli
