#pragma once

// The files that the Valgrind tool writes, one for each program image of each process
// (docs/programs/counters.md).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/records/profile.hpp"
#include "points/counters/counts.hpp"

namespace gable::points {

/// A marked region in one program image.
struct ValgrindRegion {
  std::string region;
  int threads = 0;
  int open = 0;  ///< threads that never left it
  std::uint64_t calls = 0;
  Work work;       ///< of the threads that mark it, while they were inside
  Work meanwhile;  ///< of all threads, while any thread was inside
};

/// The result of tracing a program image.
struct TraceFile {
  std::string path;
  std::uint64_t seen = 0, written = 0;  ///< accesses
  bool ended = false;                   ///< after the requested number
  bool failed = false;                  ///< it could not be written
};

/// One file.
struct ValgrindFile {
  std::int64_t started = 0;  ///< microseconds since 1970
  int image = 0;             ///< 0, 1, ... of its process
  bool replaced = false;     ///< written before an exec; the next image has a file of its own
  bool whole = false;        ///< false: the process was killed before writing; only its pid is known
  std::vector<std::uint8_t> undecodable;  ///< first bytes of an instruction unknown to Valgrind
  std::uint64_t clock_reads = 0;          ///< times that it asked for the time
  std::uint64_t timers = 0;               ///< times that it set one
  ProcessCounts process;
  std::vector<FunctionCounts> functions;  ///< and their long loops
  std::vector<ValgrindRegion> regions;
  std::optional<TraceFile> trace;
  std::optional<model::Profile> profile;  ///< of this image; only if it was asked for
};

/// The files `prefix`.PID.N of a folder, in the order of the images' start. Throws Error::failed for a file
/// that cannot be read.
std::vector<ValgrindFile> read_valgrind_files(const std::filesystem::path& folder, const std::string& prefix);

}  // namespace gable::points
