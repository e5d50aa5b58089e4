#pragma once

// Regions that a program marked with gable-marker.h, or with likwid's macros on it.

#include <filesystem>
#include <string>
#include <vector>

#include "points/counters/counts.hpp"

namespace gable::points {

/// One region in one run of the program, all its processes together.
struct MarkedRegion {
  std::string name;
  double seconds = 0;  ///< wall clock in which a thread was inside; of several processes the longest
  int threads = 0;
  std::uint64_t calls = 0;
  double flops = 0, load_bytes = 0, store_bytes = 0;  ///< that the program stated
};

/// Throws CountError where threads (`open` of them) started the region and never stopped it.
void require_closed(const std::string& region, int open);

/// The regions in the files `prefix`.PID of a folder, in the order in which they began. Throws CountError
/// where there are none, a region was never closed or closed without having been opened, or a file cannot be
/// read.
std::vector<MarkedRegion> read_markers(const std::filesystem::path& folder, const std::string& prefix);

}  // namespace gable::points
