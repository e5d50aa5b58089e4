#pragma once

// What the virtualization set measures. One row each.

#include <string_view>

namespace gable::model {

struct VirtMeasure {
  std::string_view kind, what;           ///< of a VirtCase
  std::string_view words;                ///< on a screen
  bool tells_pages;                      ///< the name also tells the pages
  std::string_view unit;                 ///< of its figures
  double per_unit;                       ///< the work of a second in this unit; of a time, its seconds
  bool is_time;                          ///< the figure is the time of a piece of work, the lower the better
  std::string_view what_has_bytes = "";  ///< "table": the name also tells its size
};

namespace walks {
inline constexpr std::string_view latency = "latency", packed = "packed", bandwidth = "bandwidth";
inline constexpr double bytes = 64;  // an access fetches a line
}  // namespace walks

inline constexpr VirtMeasure virt_measures[] = {
    {"environment", "system", "environment", false, "", 1, false},
    {"walk", walks::latency, "page walk", true, "ns", 1e-9, true},
    {"walk", walks::packed, "page walk", true, "ns", 1e-9, true},
    {"walk", walks::bandwidth, "page walk", true, "GB/s", 1e9 / walks::bytes, false},
    {"map", "first touch", "first touch of a page", true, "µs", 1e-6, true},
    {"map", "mmap and munmap", "mmap, touch and munmap of a page", false, "µs", 1e-6, true},
    {"map", "mprotect", "mprotect of a page, there and back", false, "µs", 1e-6, true},
    {"map", "fork", "fork and exit", false, "µs", 1e-6, true},
    {"map", "context switch", "context switch", false, "µs", 1e-6, true},
    {"noise", "detours", "detours", false, "", 1, false},
    {"program", "gups", "GUPS", true, "GUPS", 1e9, false, "table"},
    {"program", "triad", "STREAM triad", true, "GB/s", 1e9, false},
    {"program", "dgemm", "DGEMM", true, "GFlop/s", 1e9, false},
    {"program", "cg", "conjugate gradient", true, "GFlop/s", 1e9, false},
};

}  // namespace gable::model
