#pragma once

// A cache that a thread of the program uses.

#include <string>

namespace gable::model {

struct ProfileCache {
  std::string level;        ///< "L1", "L2", ...
  double bytes = 0;         ///< its size
  bool is_shared = false;   ///< by all threads of the program; otherwise each thread has its own
  int cores_sharing = 1;    ///< one of them
  int ways = 0;             ///< lines of a set; 0: not known, it counts as fully associative
  double huge_pages = 0;    ///< part of the program's data on pages of 2 MiB; the rest is on pages of 4 KiB
  double stream_bytes = 0;  ///< the size for lines in order; 0: it is the same
  /// Its lines are spread over its sets by chance, as pages are over the memory behind a memory-side cache.
  bool by_chance = false;
};

}  // namespace gable::model
