#include "model/points/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

#include "base/words.hpp"
#include "model/points/cause.hpp"
#include "model/points/ridge.hpp"
#include "model/points/threads.hpp"

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

Reading rates(const Roofs& roofs, const Point& point, int cluster) {
  Reading reading;
  reading.cluster = cluster;
  const double bytes = point.load_bytes + point.store_bytes, share = cluster_share(roofs, point);
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

// The smallest cache that holds all resident data of the Point on this cluster, by its claimed and its
// measured size.
void find_fitting_cache(const Roofs& roofs, const Point& point, int cluster, Surroundings& around) {
  std::uint64_t data = 0;
  for (const auto& [node, bytes] : point.node_bytes) data += bytes;
  if (data == 0 || point.cluster < 0) return;
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  for (const CacheLevel& level : roofs.levels) {
    const std::uint64_t bytes = std::min(level.claimed_bytes, level.measured_bytes);
    if (level.cluster != cluster || data > bytes || bytes >= smallest) continue;
    smallest = bytes;
    around.data_bytes = data;
    around.fitting_level = level.level;
    around.fitting_cache = fmt::format("{} ({})", level.level, bytes_text(bytes));
  }
}

// Whether the Point uses the data that fits in a cache many times.
bool stays_in_cache(const Point& point, const Surroundings& around) {
  constexpr double often = 8;
  const double accessed = point.load_bytes + point.store_bytes;
  return !around.fitting_level.empty() && accessed >= often * static_cast<double>(around.data_bytes);
}

// This cache and those before it; all if none of these is known.
std::vector<Limit> up_to(const std::string& level, const std::vector<Limit>& caches) {
  std::vector<Limit> kept;
  std::ranges::copy_if(caches, std::back_inserter(kept),
                       [&](const Limit& limit) { return limit.level <= level; });
  return kept.empty() ? caches : kept;
}

// The peak that the Point exceeds, or L1: no code exceeds them. nullptr if there is none. A roof of another
// mix of loads and stores is no such limit.
const Limit* exceeded(const Point& point, const Reading& reading, const std::vector<Limit>& caches,
                      const std::vector<Limit>& flops) {
  if (!flops.empty() && reached(reading, flops.back()) > stands_at) return &flops.back();
  if (caches.empty() || caches.back().level != "L1" || !has_like_mix(caches.back(), point)) return nullptr;
  return reached(reading, caches.back()) > stands_at ? &caches.back() : nullptr;
}

bool has_roofs(const Roofs& roofs, int cluster) {
  return std::ranges::any_of(roofs.roofs, [&](const Roof& roof) {
    return roof.asked.cluster == cluster && roof.status == Status::ok;
  });
}

// Why no roof is above the Point; `limits` are those that could stop it.
std::string no_roof_words(const Roofs& roofs, const Point& point, int cluster,
                          const std::vector<Limit>& limits) {
  const int cores = cores_used(roofs, point, cluster);
  if (const int fewer = most_of_fewer_threads(roofs, cluster, cores); fewer > 0) {
    const std::string used = count_text(cores, "thread");
    return fmt::format("{}; the others are of at most {} and cannot limit it",
                       limits.empty() ? "no roof of " + used + " is known" : "is above every roof of " + used,
                       count_text(fewer, "thread"));
  }
  if (!limits.empty())
    return "is above every roof: its counts, its time and the roofs are not from the same machine and "
           "threads";
  if (has_roofs(roofs, cluster))
    return fmt::format("no roof of cluster {} that could limit it is known: {}", cluster,
                       point.alone ? "neither of that memory nor of caches or peaks"
                                   : "neither of that memory with all clusters busy nor of caches or peaks");
  return fmt::format("no roofs of cluster {} are known: run gable measure and gable fit", cluster);
}

}  // namespace

std::string headroom_text(double percent) {
  constexpr double readable = 10000;
  return percent < readable ? fmt::format("{:.0f} %", percent) : fmt::format("{:.0f} times", percent / 100);
}

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
  find_fitting_cache(roofs, point, cluster, around);
  const std::vector<Limit> all_caches = cache_limits(roofs, point, cluster);
  reading.in_cache = !all_caches.empty() && stays_in_cache(point, around);
  const std::vector<Limit> caches = reading.in_cache ? up_to(around.fitting_level, all_caches) : all_caches;
  const std::vector<Limit> flops = flop_limits(roofs, point, cluster);
  std::vector<Limit> limits;
  if (!reading.in_cache) {
    limits = memory;
    const std::vector<Limit> side = side_cache_limits(roofs, point, cluster, around.shares);
    limits.insert(limits.end(), side.begin(), side.end());
  }
  for (const auto* more : {&caches, &flops}) limits.insert(limits.end(), more->begin(), more->end());
  double nearest = 0;
  for (const Limit& limit : limits) {
    const double share = reached(reading, limit);
    if (share > stands_at || share <= nearest) continue;
    nearest = share;
    reading.limit = limit;
    reading.roof = limit.name;
  }
  if (reading.roof.empty()) {
    reading.cause = no_roof_words(roofs, point, cluster, limits);
    return reading;
  }
  if (const Limit* const highest = exceeded(point, reading, caches, flops)) {
    const bool peak = highest->kind == Kind::flops;
    reading.limit = {};
    reading.roof.clear();
    reading.cause = fmt::format(
        "is above {}, the highest {}: its counts, its time and the roofs are not from the same machine and "
        "threads",
        highest->name, peak ? "peak" : "bandwidth");
    return reading;
  }
  reading.reached_percent = 100 * nearest;
  reading.attainable_percent = 100 * attainable_share(roofs, reading);
  reading.headroom_percent = std::max(0.0, reading.attainable_percent / nearest - 100);
  around.memory_known = !memory.empty();
  around.above_memory = !reading.in_cache && !memory.empty() &&
                        std::all_of(memory.begin(), memory.end(),
                                    [&](const Limit& limit) { return reached(reading, limit) > stands_at; });
  for (const Limit& limit : memory) {
    if (around.above_memory && limit.value > around.behind.value) around.behind = limit;
  }
  around.cores = cores_of(roofs, cluster);
  around.cores_used = cores_used(roofs, point, cluster);
  around.fewer_threads = most_of_fewer_threads(roofs, cluster, around.cores_used);
  around.no_peak = flops.empty() && point.flops > 0;
  around.peak_beyond = peak_beyond(point, flops, reading);
  if (!reading.in_cache) find_better(roofs, point, reading, around);
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
