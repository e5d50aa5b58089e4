#pragma once

// Traces of accesses to memory: recorded, generated, and what they tell.

#include <string>
#include <vector>

#include "cli/output_file.hpp"
#include "kmaf/traces/workloads.hpp"
#include "points/counters/valgrind_trace.hpp"

namespace gable::cli {

/// gable kmaf trace: a program's accesses to memory, for gable kmaf metrics and replay.
struct KmafTraceArguments {
  std::string output;                ///< file; binary if its name ends in .trace, else CSV
  std::string bursts;                ///< "N/M": of every M accesses the first N; empty: all
  std::vector<std::string> command;  ///< the program and its arguments
  points::TraceOptions trace;        ///< its file and bursts are set from the fields above
};

/// Runs the program and writes its accesses. Throws Error::usage, Error::program.
void trace_program(KmafTraceArguments arguments);

/// gable kmaf generate: traces of kernels with known sharing.
struct KmafGenerateArguments {
  std::string kernel;  ///< name of a kmaf::Workload
  std::string output;  ///< file; binary if its name ends in .trace, else CSV
  kmaf::WorkloadShape shape;
};

/// Throws Error::usage, Error::interrupted.
void generate_trace(const KmafGenerateArguments& arguments);

/// gable kmaf metrics: equations 1 to 4 of the kMAF paper for a trace.
struct KmafMetricsArguments {
  std::string trace;
  std::string plot;  ///< folder for the pictures; empty: none
  PictureArguments pictures;
  std::vector<int> thread_nodes;  ///< node of each thread in order of first appearance; empty: not known
  bool json = false;              ///< print JSON
};

/// Throws Error::usage, Error::interrupted.
void show_metrics(const KmafMetricsArguments& arguments);

/// A name for each trace, for tables over several traces and for charts: the file name without extension.
/// If names are equal, enough of the path is added to distinguish them ("a-g", "b-g"; "g.csv",
/// "g.trace"). Throws Error::usage if a file is named twice.
std::vector<std::string> program_names(const std::vector<std::string>& traces);

}  // namespace gable::cli
