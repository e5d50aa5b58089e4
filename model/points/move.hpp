#pragma once

// The gain of a Point when its data moves to another memory.

#include <map>
#include <string>

#include "model/points/binding.hpp"

namespace gable::model {

/// The Point's speed after a move of all its data.
struct Move {
  Limit from, to;             ///< the memory roofs before and after
  bool memory_bound = false;  ///< the Point stands at `from`; else caches or arithmetic matter too
  bool may_be_bound = false;  ///< else the Point stands at the lower end of the interval of `from`
  bool exact =
      false;  ///< bound, and both roofs are known: otherwise `factor` and `seconds` are the best case
  bool stays = false;         ///< its data is there already: nothing changes
  bool interval = true;       ///< false: the interval of a roof, and so that of the factor, is unknown
  bool latency_known = true;  ///< false: no roof binds the Point, and the latencies before and after the
                              ///< move, which may, are unknown: so is the factor
  double factor = 1;          ///< of its speed, if it follows the roofs and no other roof stops it
  double factor_lo = 1;  ///< with all intervals; of a Point that memory does not bind from the lowest ...
  double factor_hi = 1;  ///< ... to the highest of no effect, that of the roofs, and that of the latencies
  double seconds = 0, seconds_lo = 0, seconds_hi = 0;
  std::string stopped_by;  ///< another roof that is reached before `to`: a cache, a peak; empty: none
};

/// The effect of moving all of a Point's data to `shares` (share of the bytes by node). Throws
/// Error::usage with the reason if a roof is missing.
Move move_point(const Roofs& roofs, const Point& point, const std::map<int, double>& shares,
                const MixModel& hybrid = {});

/// The same for the memory with the highest (`fastest`) or the lowest roof: one node, or for a Point of all
/// clusters a node of each cluster for the data of its threads.
Move move_to_extreme(const Roofs& roofs, const Point& point, bool fastest, const MixModel& hybrid = {});

/// The memory roof to which move_to_extreme() would move the data.
Limit extreme_memory(const Roofs& roofs, const Point& point, bool fastest, const MixModel& hybrid = {});

}  // namespace gable::model
