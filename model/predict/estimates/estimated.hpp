#pragma once

// Roofs that were not measured, from those that were: of fewer threads, and of levels between others.

#include <string>
#include <vector>

#include "model/points/limits/limits.hpp"
#include "model/profile/levels.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// Which value an estimated roof gets: the most likely one, or the end of its range where a program is fast
/// or slow.
enum class Estimated { middle, fast, slow };

struct EstimatedRoofs {
  Roofs roofs;          ///< the measured ones and those that were estimated
  Notes missing;        ///< what was not measured: "the bandwidth of L3"
  std::string refusal;  ///< what is needed and cannot be estimated; empty: nothing
};

/// The roofs for a program that runs as `like` says, behind these caches of its cluster.
///
/// If it uses n of the N cores of a roof: an own cache of each core gives n / N of it. Whatever cores share
/// gives n times what the ladder of one thread shows, at most all of it; without a ladder between n / N of it
/// (or the lines for which n cores can wait at once) and all of it. Peaks give n / N of them, times the ratio
/// of the clocks of one thread and of all.
///
/// A level whose bandwidth is missing is at least as fast as the next known one, and at most as fast as the
/// known one before it, or as `faster_than_next` allows. Latencies: add_latencies(). The bandwidth of a
/// memory, and its latency, cannot be estimated. `transfers` has the bytes of the program, which decide what
/// it needs, and `thread_seconds` the time of all its threads where it was timed (0: nowhere).
EstimatedRoofs estimated_roofs(const Roofs& roofs, const Point& like, const std::vector<ProfileCache>& caches,
                               const FunctionWork& transfers, double thread_seconds, const MixModel& hybrid,
                               Estimated which);

}  // namespace gable::model
