#pragma once

// Cache lines that a program waits for, and the need that they make.

#include <optional>
#include <vector>

#include "model/points/needs/measured.hpp"
#include "model/points/needs/needs.hpp"
#include "model/points/needs/stalls/latency_at.hpp"

namespace gable::model {

/// Lines of one thread, one after the other.
struct Waited {
  double bytes = 0, lo = 0, hi = 0, seconds = 0;
  bool known = true;  ///< the latency of every level

  void add(double lines, const std::optional<MeasuredRange>& ns);
};

/// Bytes of a level that wait, and the sums of their spans.
using WaitedAmountOf = SpanSums (*)(const LevelBytes&);

SpanSums chained_of(const LevelBytes& level);
SpanSums irregular_of(const LevelBytes& level);
SpanSums unordered_of(const LevelBytes& level);  ///< both
SpanSums irregular_loads_of(
    const LevelBytes& level);  ///< without lines that are fetched for stores; no spans

/// Of irregular_of: lines at constant distances, which some cores prefetch; no spans.
SpanSums strided_of(const LevelBytes& level);

/// What a level serves: the part of an amount that is not fetched from the next level. Nothing if there is no
/// such level.
struct Served {
  double lines = 0;
  ServedSpans spans;
};
Served served_by(const std::vector<LevelBytes>& levels, std::size_t at, WaitedAmountOf amount);

/// So many lines are under way at once at most: line fill buffers of a core.
constexpr double most_at_once = 10;

/// The need of the Point's `threads` in the cluster, which wait for `share` of the lines.
Need need_of(const Point& point, int threads, double share, const Waited& waited, Limit::Kind kind,
             const char* name);

/// More than all of the time, or a part of it that nobody knows: the need is as small as can be.
void make_range(Need& need);

}  // namespace gable::model
