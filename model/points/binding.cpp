#include "model/points/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "model/points/cause.hpp"
#include "model/points/ridge.hpp"

namespace gable::model {
namespace {

using Kind = Limit::Kind;

// Smaller gains of a placement are not mentioned.
constexpr double worth_a_word = 1.05;

std::set<int> clusters_of(const Roofs& roofs) {
  std::set<int> clusters;
  for (const Roof& roof : roofs.roofs) clusters.insert(roof.asked.cluster);
  return clusters;
}

// A cluster's share of a Point of all clusters, including those without roofs.
double share_of(const Roofs& roofs, const Point& point) {
  if (point.cluster >= 0) return 1;
  const int with_roofs = static_cast<int>(clusters_of(roofs).size());
  return 1.0 / std::max({1, with_roofs, roofs.machine_clusters});
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

// The memory in which the Point would run fastest; nothing if none is faster than the present one.
// The gain is the ratio of the roofs, as in move_point: the Point's distance to its roof stays the same.
void find_better(const Roofs& roofs, const Point& point, const Reading& reading, Surroundings& around) {
  if (reading.gb_per_s <= 0) return;
  const std::vector<Limit> all = memory_limits(roofs, point, reading.cluster, {}, {});
  std::string unused;
  const double ceiling = speed_ceiling(roofs, point, reading, unused);
  for (const Limit& limit : all) {
    if (limit.pattern == "contended") continue;
    // Of a roof between two bounds the Point itself shows how high it is at least.
    const Limit& roof = reading.limit;
    const double now = roof.fitted ? roof.value : std::clamp(reading.gb_per_s, roof.lo, roof.value);
    const double gain = std::min(limit.value / now, ceiling);
    if (gain < worth_a_word || gain <= around.gain) continue;
    around.better = limit;
    around.gain = gain;
  }
}

// The FMA peak, if a lower peak of that precision binds and the Point may use FMA.
std::optional<Limit> peak_beyond(const Point& point, const std::vector<Limit>& flops,
                                 const Reading& reading) {
  if (reading.limit.kind != Kind::flops || point.fma_flops_percent) return std::nullopt;
  const std::string fma = "FMA" + reading.roof.substr(reading.roof.find(' '));
  const auto found = std::find_if(flops.begin(), flops.end(), [&](const Limit& limit) {
    return limit.name == fma && limit.value > reading.limit.value;
  });
  return found == flops.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

double reached(const Reading& reading, const Limit& limit) {
  return (limit.kind == Kind::flops ? reading.gflop_per_s : reading.gb_per_s) / limit.value;
}

double speed_ceiling(const Roofs& roofs, const Point& point, const Reading& reading, std::string& name) {
  double lowest = std::numeric_limits<double>::infinity();
  const std::vector<Limit> caches = cache_limits(roofs, point, reading.cluster);
  const std::vector<Limit> flops = flop_limits(roofs, point, reading.cluster);
  for (const auto* limits : {&caches, &flops}) {
    if (limits->empty()) continue;
    const double share = reached(reading, limits->back());  // the highest, which no code exceeds
    if (share > 0 && 1 / share < lowest) {
      lowest = std::max(1.0, 1 / share);
      name = limits->back().name;
    }
  }
  return lowest;
}

Reading read_point(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid) {
  Reading reading = rates(roofs, point, cluster);
  Surroundings around;
  around.shares = node_shares(point);
  const std::vector<Limit> memory = memory_limits(roofs, point, cluster, around.shares, hybrid);
  const std::vector<Limit> flops = flop_limits(roofs, point, cluster);
  std::vector<Limit> limits = memory;
  for (const auto& more :
       {side_cache_limits(roofs, point, cluster, around.shares), cache_limits(roofs, point, cluster), flops})
    limits.insert(limits.end(), more.begin(), more.end());
  double nearest = 0;
  for (const Limit& limit : limits) {
    const double share = reached(reading, limit);
    if (share > stands_at || share <= nearest) continue;
    nearest = share;
    reading.limit = limit;
    reading.roof = limit.name;
  }
  if (reading.roof.empty()) {
    reading.cause =
        limits.empty()
            ? fmt::format("no roofs of cluster {} are known: run gable measure and gable fit", cluster)
            : "is above every roof: its counts, its time and the roofs are not from "
              "the same machine and threads";
    return reading;
  }
  if (!flops.empty() && reached(reading, flops.back()) > stands_at) {
    reading.limit = {};
    reading.roof.clear();
    reading.cause = fmt::format(
        "is above {}, the highest peak: its counts, its time and the roofs are not from the same "
        "machine and threads",
        flops.back().name);
    return reading;
  }
  reading.reached_percent = 100 * nearest;
  reading.attainable_percent = 100 * attainable_share(roofs, reading);
  reading.headroom_percent = std::max(0.0, reading.attainable_percent / nearest - 100);
  around.memory_known = !memory.empty();
  around.above_memory = !memory.empty() && std::all_of(memory.begin(), memory.end(), [&](const Limit& limit) {
    return reached(reading, limit) > stands_at;
  });
  for (const Limit& limit : memory) {
    if (around.above_memory && limit.value > around.behind.value) around.behind = limit;
  }
  around.no_peak = flops.empty() && point.flops > 0;
  around.peak_beyond = peak_beyond(point, flops, reading);
  find_better(roofs, point, reading, around);
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

}  // namespace gable::model
