#include "model/points/move.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/points/latency.hpp"
#include "model/points/threads.hpp"

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
void set_factor(Move& move, const Reading& reading, double top, bool more_threads) {
  const auto capped = [&](double factor) { return std::min(factor, top); };
  const double least = is_above(reading, move.from) ? 0 : reached(reading, move.from) * move.from.value;
  const double ratio = move.to.value / std::max(move.from.value, least);
  move.factor = capped(ratio);
  if (ratio <= top) move.stopped_by.clear();
  const bool may_fall_short = more_threads && move.to.value > move.from.value;
  move.exact = move.memory_bound && move.from.fitted && move.to.fitted && !may_fall_short;
  move.interval = move.from.interval && move.to.interval;
  move.factor_lo = capped(move.to.lo / std::max(move.from.hi, least));
  move.factor_hi = capped(move.to.hi / std::max(move.from.lo, least));
  if (!move.memory_bound || may_fall_short) {  // from no effect to the full ratio of the roofs
    move.factor_lo = std::min(1.0, move.factor_lo);
    move.factor_hi = std::max(1.0, move.factor_hi);
  }
}

// A Point that memory does not bind may wait for latency.
void include_latencies(Move& move, const std::optional<Factors>& factors, double top) {
  move.latency_known = factors.has_value();
  if (!factors) return;
  move.factor_lo = std::min(move.factor_lo, factors->lo);
  move.factor_hi = std::max(move.factor_hi, std::min(factors->hi, top));
}

// The lowest roof above the Point among the ascending roofs of its data's location.
Limit roof_now(const std::vector<Limit>& before, const Reading& reading) {
  return *std::find_if(before.begin(), before.end() - 1,
                       [&](const Limit& limit) { return !is_above(reading, limit); });
}

// Throws Error::usage if no roof is known for these nodes.
void require(const Point& point, const std::vector<Limit>& limits, const std::map<int, double>& shares) {
  if (!limits.empty()) return;
  const std::string nodes = joined(shares, [](const auto& each) { return std::to_string(each.first); });
  throw Error::usage(point.name,
                     nodes.empty()
                         ? "no memory roof was measured for this cluster"
                         : fmt::format("no memory roof of this cluster was measured for node {}", nodes));
}

// Where the Point is before a move.
struct Start {
  Reading reading;
  std::map<int, double> shares;
  Limit roof;
};

Start start_of(const Roofs& roofs, const Point& point, const MixModel& hybrid) {
  Start start;
  start.reading = read_point(roofs, point, hybrid);
  if (start.reading.gb_per_s <= 0) throw Error::usage(point.name, "the point moves no bytes");
  start.shares = node_shares(point);
  if (start.shares.empty()) throw Error::usage(point.name, "where the point's data lies now is not known");
  const auto before = memory_limits(roofs, point, start.reading.cluster, start.shares, hybrid);
  require(point, before, start.shares);
  if (start.reading.roof.empty()) throw Error::usage(point.name, start.reading.cause);
  if (start.reading.limit.kind == Limit::Kind::side_cache)
    throw Error::usage(
        point.name,
        fmt::format(
            "the memory-side cache {} holds a part of its data, and what it gives after a move is not "
            "known",
            start.reading.limit.level.name()));
  start.roof = roof_now(before, start.reading);
  return start;
}

// Whether the roofs are of more threads than the Point used, so that it may not reach the new one. Throws
// Error::usage if they then say nothing of the Point.
bool require_threads(const Roofs& roofs, const Point& point, int cluster, const Move& move) {
  const int threads = std::max(move.from.threads, move.to.threads);
  if (!is_of_more_threads(roofs, point, cluster, threads)) return false;
  if (move.from.threads != move.to.threads)
    throw Error::usage(point.name,
                       fmt::format("the roofs before and after the move were measured with {} and {} threads",
                                   move.from.threads, move.to.threads));
  if (move.memory_bound || move.may_be_bound) return true;
  if (point.threads == 0)
    throw Error::usage(
        point.name,
        fmt::format("how many cores it used is not known, and the memory roofs were measured with {} threads",
                    threads));
  const int used = cores_used(roofs, point, cluster);
  throw Error::usage(
      point.name,
      fmt::format("it used {}, and the memory roofs were measured with {} threads; `gable measure "
                  "--threads {}` measures "
                  "those that it needs",
                  count_text(used, "core"), threads, used));
}

Move moved(const Roofs& roofs, const Point& point, const Start& start, const Limit& to,
           const std::map<int, double>& shares, bool stays) {
  const Reading& reading = start.reading;
  Move move;
  move.from = start.roof;
  move.to = stays ? move.from : to;
  move.stays = move.exact = stays;
  const Bound bound = reading.in_cache ? Bound::no : bound_by(reading, move.from);
  move.memory_bound = bound == Bound::yes;
  move.may_be_bound = bound == Bound::maybe;
  if (!stays) {
    const bool more = require_threads(roofs, point, reading.cluster, move);
    const double top = speed_ceiling(roofs, point, reading, move.stopped_by);
    set_factor(move, reading, top, more);
    if (!move.memory_bound) {
      const auto factors =
          latency_factors(roofs, point, reading.cluster, {move.from, start.shares}, {to, shares});
      include_latencies(move, factors, top);
    }
  }
  move.seconds = point.seconds / move.factor;
  move.seconds_lo = point.seconds_lo / move.factor_hi;
  move.seconds_hi = point.seconds_hi / move.factor_lo;
  return move;
}

int clusters_beside(const Roofs& roofs, int node) {
  std::set<int> clusters;
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.pattern == Pattern::local && roof.spec.node == node) clusters.insert(roof.spec.cluster);
  }
  return static_cast<int>(clusters.size());
}

// Keeps, for a Point of all clusters, the limits of threads whose data is on a node of their own cluster.
// Where several clusters or none are beside the node, these are the contended ones.
void keep_own_nodes(const Roofs& roofs, std::vector<Limit>& limits) {
  std::erase_if(limits, [&](const Limit& limit) {
    const bool one = clusters_beside(roofs, limit.node) == 1;
    return limit.node < 0 || (limit.pattern != Pattern::local_all &&
                              limit.pattern != (one ? Pattern::local : Pattern::contended));
  });
}

}  // namespace

Move move_point(const Roofs& roofs, const Point& point, const std::map<int, double>& shares,
                const MixModel& hybrid) {
  const Start start = start_of(roofs, point, hybrid);
  Point placed = point;
  if (shares.size() > 1)
    placed.policy = "interleave";  // shares of all data; not each thread's data on its own node
  const auto after = memory_limits(roofs, placed, start.reading.cluster, shares, hybrid);
  require(point, after, shares);
  const bool stays = same_shares(start.shares, shares) &&
                     (placed.policy == point.policy || point.alone || shares.size() == 1);
  return moved(roofs, point, start, after.back(), shares, stays);  // the best case
}

Limit extreme_memory(const Roofs& roofs, const Point& point, bool fastest, const MixModel& hybrid) {
  const int cluster = point.cluster >= 0 ? point.cluster : read_point(roofs, point, hybrid).cluster;
  auto limits = memory_limits(roofs, point, cluster, {}, hybrid);
  if (!point.alone) keep_own_nodes(roofs, limits);
  require(point, limits, {});
  return fastest ? limits.back() : limits.front();
}

Move move_to_extreme(const Roofs& roofs, const Point& point, bool fastest, const MixModel& hybrid) {
  const Start start = start_of(roofs, point, hybrid);
  const Limit to = extreme_memory(roofs, point, fastest, hybrid);
  const bool stays = point.alone ? same_shares(start.shares, {{to.node, 1.0}}) : start.roof.name == to.name;
  return moved(roofs, point, start, to, {{to.node, 1.0}}, stays);
}

}  // namespace gable::model
