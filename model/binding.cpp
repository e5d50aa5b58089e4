#include "model/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "model/cause.hpp"

namespace gable::model {
namespace {

using Kind = Limit::Kind;

// A roof is known no better than this: a Point that stands higher above it is above it.
constexpr double tolerance = 1.03;
// A placement that gains less is not worth a word.
constexpr double worth_a_word = 1.05;

std::set<int> clusters_of(const Roofs& roofs) {
  std::set<int> clusters;
  for (const Roof& roof : roofs.roofs) clusters.insert(roof.asked.cluster);
  return clusters;
}

// What one cluster does of a Point of all clusters.
double share_of(const Roofs& roofs, const Point& point) {
  if (point.cluster >= 0) return 1;
  return 1 / static_cast<double>(std::max<std::size_t>(1, clusters_of(roofs).size()));
}

Reading rates(const Roofs& roofs, const Point& point, int cluster) {
  Reading reading;
  reading.cluster = cluster;
  const double bytes = point.load_bytes + point.store_bytes, share = share_of(roofs, point);
  reading.flop_per_byte = bytes > 0 ? point.flops / bytes : std::numeric_limits<double>::infinity();
  reading.gflop_per_s = share * point.flops / point.seconds / 1e9;
  reading.gb_per_s = share * bytes / point.seconds / 1e9;
  return reading;
}

double reached(const Reading& reading, const Limit& limit) {
  return (limit.kind == Kind::flops ? reading.gflop_per_s : reading.gb_per_s) / limit.value;
}

// The memory that would let the Point run fastest, wherever its data lies now; nothing where none is faster.
void find_better(const Roofs& roofs, const Point& point, const std::vector<Limit>& flops,
                 const Reading& reading, Surroundings& around) {
  if (reading.gb_per_s <= 0) return;
  const std::vector<Limit> all = memory_limits(roofs, point, reading.cluster, {}, {});
  double ceiling = std::numeric_limits<double>::infinity();
  if (!flops.empty() && reading.gflop_per_s > 0) ceiling = flops.back().value / reading.gflop_per_s;
  for (const Limit& limit : all) {
    if (limit.pattern == "contended") continue;
    const double gain = std::min(limit.value / reading.gb_per_s, ceiling);
    const double now = reading.limit.fitted ? reading.limit.value : reading.limit.lo;
    if (limit.value < now * worth_a_word || gain < worth_a_word || gain <= around.gain) continue;
    around.better = limit;
    around.gain = gain;
  }
}

// Throws std::invalid_argument where no roof is known for these nodes.
void require(const std::vector<Limit>& limits, const std::map<int, double>& shares) {
  if (!limits.empty()) return;
  std::string nodes;
  for (const auto& [node, unused] : shares) nodes += fmt::format("{}{}", nodes.empty() ? "" : ", ", node);
  throw std::invalid_argument(
      nodes.empty() ? "no memory roof was measured for this cluster"
                    : fmt::format("no memory roof of this cluster was measured for node {}", nodes));
}

// The speed relative to now at which a cache or a peak would stop the Point.
double ceiling(const Roofs& roofs, const Point& point, const Reading& reading, std::string& name) {
  double lowest = std::numeric_limits<double>::infinity();
  const std::vector<Limit> caches = cache_limits(roofs, point, reading.cluster);
  const std::vector<Limit> flops = flop_limits(roofs, point, reading.cluster);
  for (const auto* limits : {&caches, &flops}) {
    if (limits->empty()) continue;
    const double share = reached(reading, limits->back());  // the highest: what no code passes
    if (share > 0 && 1 / share < lowest) {
      lowest = std::max(1.0, 1 / share);
      name = limits->back().name;
    }
  }
  return lowest;
}

}  // namespace

Reading read_point(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid) {
  Reading reading = rates(roofs, point, cluster);
  Surroundings around;
  around.shares = node_shares(point);
  const std::vector<Limit> memory = memory_limits(roofs, point, cluster, around.shares, hybrid);
  const std::vector<Limit> flops = flop_limits(roofs, point, cluster);
  std::vector<Limit> limits = memory;
  for (const auto& more : {cache_limits(roofs, point, cluster), flops})
    limits.insert(limits.end(), more.begin(), more.end());
  double nearest = 0;
  for (const Limit& limit : limits) {
    const double share = reached(reading, limit);
    if (share > tolerance || share <= nearest) continue;
    nearest = share;
    reading.limit = limit;
    reading.roof = limit.name;
  }
  if (reading.roof.empty()) {
    reading.cause = limits.empty() ? fmt::format("no roofs of cluster {} were measured", cluster)
                                   : "stands above every roof: its counts, its time or the roofs are not of "
                                     "one and the same machine and threads";
    return reading;
  }
  if (!flops.empty() && reached(reading, flops.back()) > tolerance) {
    reading.limit = {};
    reading.roof.clear();
    reading.cause = fmt::format(
        "stands above {}, the highest peak: its counts, its time or the roofs are not of one and the same "
        "machine and threads",
        flops.back().name);
    return reading;
  }
  reading.reached_percent = 100 * nearest;
  reading.headroom_percent = std::max(0.0, 100 / nearest - 100);
  around.memory_known = !memory.empty();
  around.above_memory = !memory.empty() && std::all_of(memory.begin(), memory.end(), [&](const Limit& limit) {
    return reached(reading, limit) > tolerance;
  });
  find_better(roofs, point, flops, reading, around);
  reading.cause = cause(point, reading, around);
  return reading;
}

Reading read_point(const Roofs& roofs, const Point& point, const MixModel& hybrid) {
  if (point.cluster >= 0) return read_point(roofs, point, point.cluster, hybrid);
  Reading nearest = rates(roofs, point, 0);
  nearest.cause = "no roofs were measured";
  for (const int cluster : clusters_of(roofs)) {
    Reading reading = read_point(roofs, point, cluster, hybrid);
    if (cluster == *clusters_of(roofs).begin() || reading.reached_percent > nearest.reached_percent)
      nearest = std::move(reading);
  }
  return nearest;
}

Move move_point(const Roofs& roofs, const Point& point, const std::map<int, double>& shares,
                const MixModel& hybrid) {
  const Reading reading = read_point(roofs, point, hybrid);
  if (reading.gb_per_s <= 0) throw std::invalid_argument("the point moves no bytes");
  const auto now = node_shares(point);
  if (now.empty()) throw std::invalid_argument("where the point's data lies now is not known");
  Move move;
  const std::vector<Limit> before = memory_limits(roofs, point, reading.cluster, now, hybrid);
  const std::vector<Limit> after = memory_limits(roofs, point, reading.cluster, shares, hybrid);
  require(before, now);
  require(after, shares);
  // Ascending: the lowest that the Point stands below, and the best that it may get.
  move.from = *std::find_if(before.begin(), before.end() - 1,
                            [&](const Limit& limit) { return reached(reading, limit) <= tolerance; });
  move.to = after.back();
  const double top = ceiling(roofs, point, reading, move.stopped_by);
  const auto capped = [&](double factor) { return std::min(factor, top); };
  const double ratio = move.to.value / move.from.value;
  move.factor = capped(ratio);
  if (ratio <= top) move.stopped_by.clear();
  const double reached_now = reached(reading, move.from);
  move.memory_bound = 100 * reached_now >= bound_from_percent && reached_now <= tolerance;
  move.may_be_bound =
      !move.memory_bound && !move.from.fitted && reached_now <= tolerance &&
      100 * reading.gb_per_s >= bound_from_percent * move.from.lo;  // as model/cause.cpp has it
  move.exact = move.memory_bound && move.from.fitted && move.to.fitted;
  move.interval = move.from.interval && move.to.interval;
  move.factor_lo = capped(move.to.lo / move.from.hi);
  move.factor_hi = capped(move.to.hi / move.from.lo);
  if (!move.memory_bound) {  // from no effect at all to that of the roofs
    move.factor_lo = std::min(1.0, move.factor_lo);
    move.factor_hi = std::max(1.0, move.factor_hi);
  }
  move.seconds = point.seconds / move.factor;
  move.seconds_lo = point.seconds_lo / move.factor_hi;
  move.seconds_hi = point.seconds_hi / move.factor_lo;
  return move;
}

}  // namespace gable::model
