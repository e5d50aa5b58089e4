#pragma once

// The time that each part of a machine would take by itself for what a Point does: every cache, the memory,
// arithmetic, and loads that wait. Whatever takes most is what the Point cannot be faster than.

#include <string>
#include <vector>

#include "model/points/limits/limits.hpp"
#include "model/records/point.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// Shares are parts of the Point's time: 1 is all of it, and more than 1 contradicts the roof. They are
/// independent of each other, because the parts of a machine work at the same time.
struct Need {
  Limit limit;            ///< with the rate at which the Point uses it
  double share = 0;       ///< nothing better is known than any value from `lo` to `hi` if `is_range`
  double lo = 0, hi = 0;  ///< by the interval of the roof
  bool is_range = false;  ///< how much overlaps is not known
  /// What limits the lines without an order that a core has under way at once: nothing that is known, its
  /// window of instructions, its room for stores (stalls/window.hpp), or its line fill buffers. Otherwise
  /// than with `unknown`, `share` is likely, even of a range.
  enum class Room { unknown, instructions, stores, buffers } room = Room::unknown;
  /// Of random loads: they come sooner than the latency allows for as many at once as a core's window has.
  bool is_sooner = false;
  std::string perhaps_in;  ///< the cache that may hold the lines; empty: they come from the memory
  struct Part {
    double share = 0, lo = 0, hi = 0;
  } besides;  ///< contained in these: what does not wait for data, the cost of branches by itself
  bool place_known = true;   ///< false: the Point's data may lie in another memory
  bool stores_known = true;  ///< false: the roof is of fewer or more stores than the Point's, hence a range
  double on_huge_pages = 0;  ///< the share if all data were on huge pages; 0: not known, or all is
  LatencyClass slowest = LatencyClass::integer;  ///< of a path: the operations that take most of its time
  double bytes = 0;   ///< that the part transfers for the cluster; arithmetic: flops, instructions
  double chains = 1;  ///< of loads that wait for each other: how many a core follows at once
};

/// More than this part of the time contradicts a roof, since counts and roofs have errors of their own.
inline constexpr double at_most_of_time = 1.15;

/// The needs of a Point whose bytes by level are known, the largest first. `cluster` is the one whose threads
/// ran the Point, or their share of it. A roof is that of the mix of loads and stores at this level: of
/// `read` bytes as many as are written were fetched to be overwritten, so a kernel with `read - written`
/// bytes of loads and `written` bytes of stores moves the same. Roofs of non-temporal stores do not count.
/// If no roof has as many stores, what is written back beyond those of the nearest roof takes from no time
/// (it overlaps with the loads) to as much as if it were loaded.
std::vector<Need> needs_of(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid);

}  // namespace gable::model
