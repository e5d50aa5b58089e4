#pragma once

// What the virtualization set measures: its kinds, in the order of a round, and the measurements of each
// kind. One row each.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class VirtKind { environment, map, noise, walk, program };

struct VirtKindRow {
  VirtKind value;
  std::string_view name;
  bool is_timed;         ///< visits have repetitions, and notes what ran beside them; false: facts alone
  bool is_on_every_cpu;  ///< a measurement for each CPU, all at once; otherwise on one CPU that is not told
  bool has_runs;         ///< a figure also has the time of a whole run, and how its result was checked
  std::string_view drift_group;  ///< of its figures between folders; empty: they drift as memory does
};
inline constexpr VirtKindRow virt_kind_rows[] = {
    {VirtKind::environment, "environment", false, false, false, ""},
    {VirtKind::map, "map", true, false, false, "mapping"},
    {VirtKind::noise, "noise", true, true, false, "noise"},
    {VirtKind::walk, "walk", true, false, false, ""},
    {VirtKind::program, "program", true, false, true, ""},
};
static_assert(is_in_order(virt_kind_rows));
constexpr std::span<const VirtKindRow> table(VirtKind) {
  return virt_kind_rows;
}

struct VirtMeasure {
  VirtKind kind = VirtKind::environment;
  std::string_view what;                 ///< of a VirtCase
  std::string_view words;                ///< on a screen
  bool tells_pages = false;              ///< the name also tells the pages
  std::string_view unit;                 ///< of its figures
  double per_unit = 1;                   ///< the work of a second in this unit; of a time, its seconds
  bool is_time = false;                  ///< the figure is the time of a piece of work, the lower the better
  bool has_memory = true;                ///< it needs memory of its own
  std::string_view what_has_bytes = "";  ///< "table": the name also tells its size
};

namespace walks {
inline constexpr std::string_view latency = "latency", packed = "packed", bandwidth = "bandwidth";
inline constexpr double bytes = 64;  // an access fetches a line
}  // namespace walks
namespace mapping {
inline constexpr std::string_view first_touch = "first touch", mmap = "mmap and munmap",
                                  mprotect = "mprotect", fork = "fork", context_switch = "context switch";
}  // namespace mapping
namespace programs {
inline constexpr std::string_view gups = "gups", triad = "triad", dgemm = "dgemm", cg = "cg";
}  // namespace programs

inline constexpr VirtMeasure virt_measures[] = {
    {VirtKind::environment, "system", "environment", false, "", 1, false, false},
    {VirtKind::walk, walks::latency, "page walk", true, "ns", 1e-9, true},
    {VirtKind::walk, walks::packed, "page walk", true, "ns", 1e-9, true},
    {VirtKind::walk, walks::bandwidth, "page walk", true, "GB/s", 1e9 / walks::bytes},
    {VirtKind::map, mapping::first_touch, "first touch of a page", true, "µs", 1e-6, true},
    {VirtKind::map, mapping::mmap, "mmap, touch and munmap of a page", false, "µs", 1e-6, true, false},
    {VirtKind::map, mapping::mprotect, "mprotect of a page, there and back", false, "µs", 1e-6, true},
    {VirtKind::map, mapping::fork, "fork and exit", false, "µs", 1e-6, true},
    {VirtKind::map, mapping::context_switch, "context switch", false, "µs", 1e-6, true, false},
    {VirtKind::noise, "detours", "detours", false, "", 1, false, false},
    {VirtKind::program, programs::gups, "GUPS", true, "GUPS", 1e9, false, true, "table"},
    {VirtKind::program, programs::triad, "STREAM triad", true, "GB/s", 1e9},
    {VirtKind::program, programs::dgemm, "DGEMM", true, "GFlop/s", 1e9},
    {VirtKind::program, programs::cg, "conjugate gradient", true, "GFlop/s", 1e9},
};

}  // namespace gable::model
