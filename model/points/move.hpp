#pragma once

// What a Point gains when its data moves to another memory.

#include <map>
#include <string>

#include "model/points/binding.hpp"

namespace gable::model {

/// The Point's speed after a move of all its data.
struct Move {
  Limit from, to;             ///< the memory roofs before and after
  bool memory_bound = false;  ///< the Point stands at `from`; otherwise caches or arithmetic serve part of it
  bool may_be_bound =
      false;  ///< `from` is only known to lie between two bounds, and the Point stands at the lower one
  bool exact =
      false;  ///< bound, and both roofs are known: otherwise `factor` and `seconds` are the best case
  bool stays = false;    ///< its data lies there already: nothing changes
  bool interval = true;  ///< false: a roof's interval is not known, so that of the factor is not either
  double factor = 1;     ///< of its speed, if it goes with the roofs and no other one stops it
  double factor_lo = 1;  ///< with the intervals of roofs and Point: between what memory alone makes ...
  double factor_hi = 1;  ///< ... and nothing, where the Point is not bound by memory
  double seconds = 0, seconds_lo = 0, seconds_hi = 0;
  std::string stopped_by;  ///< another roof that comes before `to`: a cache, a peak; empty: none
};

/// What moving all its data to `shares` (node and share of the bytes) can give a Point. Throws
/// std::invalid_argument with the reason where a roof is missing.
Move move_point(const Roofs& roofs, const Point& point, const std::map<int, double>& shares,
                const MixModel& hybrid = {});

}  // namespace gable::model
