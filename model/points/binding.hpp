#pragma once

// Which roof binds a Point, how far the Point is below it, and why, in words (LARM paper, sections 4.2.2 and
// 4.2.3).

#include <optional>
#include <string>
#include <vector>

#include "model/points/function_time.hpp"
#include "model/points/limits/limits.hpp"
#include "model/points/needs/no_overlap.hpp"
#include "model/points/verdict.hpp"
#include "model/records/point.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// What a function of a Point needs most, of the time of the whole Point: 1 is all of it.
struct FunctionReading {
  std::size_t function = 0;  ///< index in the Point's functions
  double share = 0, lo = 0, hi = 0;
  std::string what;                       ///< "local memory", "L3", "arithmetic"
  std::optional<Level> level;             ///< whose bytes it needs most (limited_level)
  std::optional<ExplainedTime> measured;  ///< its own time; nothing: it was not measured
  NoOverlap no_overlap = {};              ///< also parts of the time of the whole Point

  /// What a need of this share can take: at most the function's own time, if that was measured.
  double within_time(double of) const {
    const bool is_known = measured && measured->verdict != FunctionVerdict::few_samples;
    return is_known ? std::min(of, measured->wall.hi) : of;
  }
};

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
  double headroom_percent = 0;  ///< how much faster the Point could be until it reaches that; 0: it is there,
                                ///< or within the roof's interval
  double headroom_lo = 0, headroom_hi = 0;  ///< the same for the ends of the roof's interval
  bool headroom_known = true;  ///< false: the roof is of more threads than the Point used, or may have used,
                               ///< and the Point is far below it
  double slowest = 1;          ///< its rate at the upper end of the interval of its time, as a share
  bool contradictory = false;  ///< its counts, its time and the roofs are not from the same machine
  bool in_cache = false;       ///< its data fits in a cache and is used many times: memory does not limit it
  std::vector<FunctionReading>
      functions;    ///< largest first, by within_time(); empty: their bytes by level are not known
  Verdict verdict;  ///< what binds it, for the user
};

/// What the function with this index in its Point needs; nullptr if that is not known.
const FunctionReading* function_reading(const Reading& reading, std::size_t function);

/// The tolerance of a roof: a Point that reaches more than this, and more than the interval of the roof, is
/// above the roof.
inline constexpr double stands_at = 1.03;

/// The share of a roof that the Point reaches.
double reached(const Reading& reading, const Limit& limit);

/// Whether this share of the Point's rate is above the roof and its interval.
bool is_above(const Reading& reading, const Limit& limit, double rate_share = 1);

/// Whether a roof binds the Point: surely if the Point reaches `bound_from_percent` even of the upper end of
/// its interval, perhaps if it reaches so much of the lower end.
enum class Bound { no, maybe, yes };
Bound bound_by(const Reading& reading, const Limit& limit, double attainable_percent = 100);

/// A Point that reaches at least this share of its roof, in percent, is called bound by it.
inline constexpr double bound_from_percent = 80;

/// Reads the Point under the roofs of its cluster; a Point of all clusters under those of the cluster that
/// comes nearest to its roof. The binding roof is the lowest that is above the Point at its arithmetic
/// intensity, among those that can stop it (model/points/limits/limits.hpp). Memory roofs come first. A Point
/// above them is served by caches, whose roofs come next. A Point at most 3 % above a roof, or within the
/// roof's interval, counts as standing at it. There is no binding roof if none is known for the location of
/// the Point's data, unless a cache or a peak is near enough to bind it.
Reading read_point(const Roofs& roofs, const Point& point, const MixModel& hybrid = {});

/// The same under the roofs of one cluster, whose threads ran the Point or their share of it.
Reading read_point(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid);

}  // namespace gable::model
