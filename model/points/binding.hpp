#pragma once

// Which roof binds a Point, how far the Point is below it, and why, in words (LARM paper, sections 4.2.2 and
// 4.2.3).

#include <string>

#include "model/points/limits.hpp"
#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// A Point under the roofs of one cluster. Rates are those of the cluster; a Point of all clusters counts
/// with its even share.
struct Reading {
  int cluster = 0;
  double flop_per_byte = 0;  ///< arithmetic intensity; infinite without bytes
  double gflop_per_s = 0;    ///< where the Point stands ...
  double gb_per_s = 0;
  std::string roof;                 ///< name of the Limit that binds it; empty: unknown
  Limit limit;                      ///< that roof
  double reached_percent = 0;       ///< share of that roof
  double attainable_percent = 100;  ///< share of that roof that programs reach at this intensity (ridge.hpp)
  double headroom_percent = 0;  ///< how much faster the Point could be until it reaches that; 0: it is there
  bool in_cache = false;        ///< its data fits in a cache and is used many times: memory does not limit it
  std::string cause;            ///< one or two sentences for the user
};

/// "38 %" of a Reading's headroom; "2742 times" from 10000 % on.
std::string headroom_text(double percent);

/// The tolerance of a roof: a Point that reaches more than this stands above the roof.
inline constexpr double stands_at = 1.03;

/// The share of a roof that the Point reaches.
double reached(const Reading& reading, const Limit& limit);

/// The factor by which the Point can become faster until the highest cache roof or peak stops it, at least 1,
/// and the `name` of that roof; infinite if no roof is known.
double speed_ceiling(const Roofs& roofs, const Point& point, const Reading& reading, std::string& name);

/// Reads the Point under the roofs of its cluster; a Point of all clusters under those of the cluster that
/// comes nearest to its roof. The binding roof is the lowest that is above the Point at its arithmetic
/// intensity, among those that can stop it (model/points/limits.hpp). Memory roofs come first. A Point above
/// them is served by caches, whose roofs come next. A Point at most 3 % above a roof counts as standing at
/// it.
Reading read_point(const Roofs& roofs, const Point& point, const MixModel& hybrid = {});

/// The same under the roofs of one cluster, whose threads ran the Point or their share of it.
Reading read_point(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid);

}  // namespace gable::model
