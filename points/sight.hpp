#pragma once

// Whether looks at a program's pages saw nearly all of its data.

#include <cstdint>
#include <string>

#include "base/programs/program.hpp"

namespace gable::points {

/// What the looks found.
struct Sight {
  /// These belong to the process, and the time, with the most resident pages.
  std::uint64_t data_bytes = 0, code_bytes = 0, pool_bytes = 0;
  int processes = 0;        ///< that were seen
  int threads = 0;          ///< seen at once
  int workers = 0;          ///< those of them that did not only wait
  int looks = 0;            ///< that found pages
  bool has_pool = false;    ///< the machine has hugetlb pages
  bool is_managed = false;  ///< the peak may be that of `gable kmaf run`
  double seconds = 0;       ///< from just before the start of the program until just after its end
  double longest_gap = 0;   ///< seconds without a look
};

/// Whether the looks tell the number of threads: there were several, and the program did not use more CPU
/// time than so many working threads can.
bool are_threads_known(const Sight& sight, const Ending& ending);

/// Empty if the looks saw at least four fifths of the program's peak, as the kernel knows it; or, where that
/// is not known, if no fifth of the time passed without a look. Otherwise, in words, how little was seen.
std::string too_little_seen(const Sight& sight, const Ending& ending);

}  // namespace gable::points
