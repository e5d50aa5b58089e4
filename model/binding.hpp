#pragma once

// Which roof binds a Point, how far it stands below, and why, in words (LARM paper, sections 4.2.2 and
// 4.2.3).

#include <string>
#include <vector>

#include "model/limits.hpp"
#include "model/records.hpp"
#include "model/roofs.hpp"

namespace gable::model {

/// What a Point means under the roofs of one cluster. Rates are those of the cluster: of a Point of all
/// clusters its even share.
struct Reading {
  int cluster = 0;
  double flop_per_byte = 0;  ///< arithmetic intensity; infinite without bytes
  double gflop_per_s = 0;    ///< where the Point stands ...
  double gb_per_s = 0;
  std::string roof;            ///< the roof that binds it: its Limit's name; empty: none is known
  Limit limit;                 ///< that roof
  double reached_percent = 0;  ///< of it
  double headroom_percent =
      0;              ///< how much faster the Point could be until that roof stops it; 0: it is there
  std::string cause;  ///< a sentence or two for a person
};

/// Reads the Point under the roofs of its cluster; a Point of all clusters under those of the cluster that
/// comes nearest to its roof. The binding roof is the lowest that the Point stands below at its arithmetic
/// intensity, of those that can stop it (model/limits.hpp): memory roofs first; a Point above them is served
/// by caches, whose roofs come next. A Point within 3 % above a roof is taken to stand at it.
Reading read_point(const Roofs& roofs, const Point& point, const MixModel& hybrid = {});

/// The same under the roofs of one cluster, whose threads ran the Point or their share of it.
Reading read_point(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid);

/// The Point's speed after a move of all its data.
struct Move {
  Limit from, to;             ///< the memory roofs before and after
  bool memory_bound = false;  ///< the Point stands at `from`; otherwise caches or arithmetic serve part of it
  bool may_be_bound =
      false;  ///< `from` is only known to lie between two bounds, and the Point stands at the lower one
  bool exact =
      false;  ///< bound, and both roofs are known: otherwise `factor` and `seconds` are the best case
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
