#pragma once

// Regions marked by gable-marker.h, or by likwid's macros based on it.

#include <filesystem>
#include <string>
#include <vector>

#include "base/programs/program.hpp"
#include "points/counters/counts.hpp"

namespace gable::points {

/// One region in one run of the program, over all its processes.
struct MarkedRegion {
  std::string name;
  double seconds = 0;   ///< wall clock during which a thread was inside; the maximum over the processes
  int threads = 0;      ///< inside at once at most; the sum over the processes
  bool by_one = false;  ///< in some process only one thread marks it
  std::uint64_t calls = 0;
  double flops = 0, load_bytes = 0, store_bytes = 0;  ///< stated by the program
  Usage usage = {};                                   ///< of the processes while a thread was inside
};

/// Throws Error::failed if `open` threads started the region and never stopped it.
void require_closed(const std::string& region, int open);

/// The regions in the files `prefix`.PID of a folder, in order of their start. Throws Error::failed if there
/// are none, if a region was not closed or was closed without being opened, or if a file cannot be read.
std::vector<MarkedRegion> read_markers(const std::filesystem::path& folder, const std::string& prefix);

}  // namespace gable::points
