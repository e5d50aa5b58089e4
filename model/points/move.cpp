#include "model/points/move.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/points/cause.hpp"

namespace gable::model {
namespace {

bool same_shares(const std::map<int, double>& a, const std::map<int, double>& b) {
  const auto near = [](const auto& one, const auto& other) {
    constexpr double nearly = 0.02;
    return one.first == other.first && std::abs(one.second - other.second) <= nearly;
  };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), near);
}

// The Point's speed scaled by the ratio of the roofs; another roof may limit it to `top`. The roof over the
// Point is at least as high as the Point, so that the Point does not come above the other roof.
void set_factor(Move& move, const Reading& reading, double top) {
  const auto capped = [&](double factor) { return std::min(factor, top); };
  const double least = reached(reading, move.from) <= stands_at ? reading.gb_per_s : 0;
  const double ratio = move.to.value / std::max(move.from.value, least);
  move.factor = capped(ratio);
  if (ratio <= top) move.stopped_by.clear();
  move.exact = move.memory_bound && move.from.fitted && move.to.fitted;
  move.interval = move.from.interval && move.to.interval;
  move.factor_lo = capped(move.to.lo / std::max(move.from.hi, least));
  move.factor_hi = capped(move.to.hi / std::max(move.from.lo, least));
  if (!move.memory_bound) {  // from no effect to the full ratio of the roofs
    move.factor_lo = std::min(1.0, move.factor_lo);
    move.factor_hi = std::max(1.0, move.factor_hi);
  }
}

// The lowest roof above the Point among the ascending roofs of its data's location.
Limit roof_now(const std::vector<Limit>& before, const Reading& reading) {
  return *std::find_if(before.begin(), before.end() - 1,
                       [&](const Limit& limit) { return reached(reading, limit) <= stands_at; });
}

// Throws std::invalid_argument if no roof is known for these nodes.
void require(const std::vector<Limit>& limits, const std::map<int, double>& shares) {
  if (!limits.empty()) return;
  std::string nodes;
  for (const auto& [node, unused] : shares) nodes += fmt::format("{}{}", nodes.empty() ? "" : ", ", node);
  throw std::invalid_argument(
      nodes.empty() ? "no memory roof was measured for this cluster"
                    : fmt::format("no memory roof of this cluster was measured for node {}", nodes));
}

}  // namespace

Move move_point(const Roofs& roofs, const Point& point, const std::map<int, double>& shares,
                const MixModel& hybrid) {
  const Reading reading = read_point(roofs, point, hybrid);
  if (reading.gb_per_s <= 0) throw std::invalid_argument("the point moves no bytes");
  const auto now = node_shares(point);
  if (now.empty()) throw std::invalid_argument("where the point's data lies now is not known");
  Move move;
  const std::vector<Limit> before = memory_limits(roofs, point, reading.cluster, now, hybrid);
  Point moved = point;
  if (shares.size() > 1)
    moved.policy = "interleave";  // shares of all data; not each thread's data on its own node
  const std::vector<Limit> after = memory_limits(roofs, moved, reading.cluster, shares, hybrid);
  require(before, now);
  require(after, shares);
  move.from = roof_now(before, reading);
  move.to = after.back();  // the best case
  const double reached_now = reached(reading, move.from);
  move.memory_bound =
      !reading.in_cache && 100 * reached_now >= bound_from_percent && reached_now <= stands_at;
  move.may_be_bound =
      !reading.in_cache && !move.memory_bound && reached_now <= stands_at &&
      100 * reading.gb_per_s >= bound_from_percent * move.from.lo;  // as in model/points/cause.cpp
  move.stays =
      same_shares(now, shares) && (moved.policy == point.policy || point.alone || shares.size() == 1);
  if (move.stays) {
    move.to = move.from;
    move.exact = true;
  } else {
    set_factor(move, reading, speed_ceiling(roofs, point, reading, move.stopped_by));
  }
  move.seconds = point.seconds / move.factor;
  move.seconds_lo = point.seconds_lo / move.factor_hi;
  move.seconds_hi = point.seconds_hi / move.factor_lo;
  return move;
}

}  // namespace gable::model
