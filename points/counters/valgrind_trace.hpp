#pragma once

// A program's memory accesses, recorded by Gable's own Valgrind tool (points/valgrind/trace/trace.h).

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/programs/program.hpp"
#include "points/counters/counts.hpp"

namespace gable::points {

struct TraceOptions {
  std::filesystem::path file;       ///< absolute; binary if it ends in .trace, else CSV
  std::uint64_t most_accesses = 0;  ///< then the trace ends and the program continues; 0: never
  std::uint64_t burst = 0;          ///< of every `burst_of` accesses the first so many are written, and the
  std::uint64_t burst_of = 0;       ///< first to each page; 0: all
  std::uint64_t turn = 0;  ///< accesses after which a thread yields to the next one; 0: 100,000 blocks
  bool stack = false;      ///< also accesses of threads to their own stacks
};

/// One program image with its own trace.
struct TracedProgram {
  std::filesystem::path file;
  std::vector<std::string> command;
  int pid = 0;
  int threads = 0;
  std::uint64_t seen = 0, written = 0;  ///< accesses
  bool ended = false;                   ///< after most_accesses
  bool failed = false;                  ///< it could not be written completely
};

struct Traced {
  Ending ending;                        ///< of the program, which may have failed
  std::vector<TracedProgram> programs;  ///< at least one, in order of their start
};

/// Runs the program and traces it with all its descendants: the first image into options.file, others beside
/// it. Throws as run_under_valgrind, and Error::failed if a trace could not be written or a process was
/// killed before it wrote its data.
Traced trace_with_valgrind(const Program& program, const TraceOptions& options);

}  // namespace gable::points
