#include "model/points/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/points/access.hpp"
#include "model/points/headroom.hpp"
#include "model/points/needs/reading.hpp"
#include "model/points/no_roof.hpp"
#include "model/points/ridge.hpp"
#include "model/points/threads.hpp"
#include "model/points/verdict_words.hpp"

namespace gable::model {
namespace {

Reading rates(const Roofs& roofs, const Point& point, int cluster) {
  Reading reading;
  reading.cluster = cluster;
  const double bytes = point.load_bytes + point.store_bytes, share = cluster_share(roofs, point);
  reading.flop_per_byte = bytes > 0 ? point.flops / bytes : std::numeric_limits<double>::infinity();
  reading.gflop_per_s = share * point.flops / point.seconds / 1e9;
  reading.gb_per_s = share * bytes / point.seconds / 1e9;
  reading.slowest = point.seconds / std::max(point.seconds, point.seconds_hi);
  return reading;
}

// The FMA peak, if a lower peak of that precision binds and the Point may use FMA.
std::optional<Limit> peak_beyond(const Point& point, const std::vector<Limit>& flops,
                                 const Reading& reading) {
  if (reading.limit.kind != Limit::Kind::flops || point.fma_flops_percent) return std::nullopt;
  const auto found = std::ranges::find_if(flops, [&](const Limit& limit) {
    return limit.op == operations::fma && limit.precision == reading.limit.precision &&
           limit.value > reading.limit.value;
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
    around.fitting_cache = fmt::format(
        "{} ({}{})", level.level.name(), bytes_text(level.claimed_bytes),
        bytes < level.claimed_bytes ? ", measured up to " + bytes_text(level.measured_bytes) : "");
  }
}

// All accesses were seen, and caches served them.
bool accesses_no_memory(const Point& point) {
  return point.access_source == AccessSource::replay && point.access.empty();
}

// Why its known accesses to memory cannot be: they are faster than every roof of their memory. Empty if they
// can.
std::string too_fast_words(const Reading& reading, const std::vector<Limit>& memory) {
  const auto is_too_fast = [&](const Limit& limit) {
    return limit.rate > 0 && is_above(reading, limit, reading.slowest);
  };
  if (memory.empty() || !std::ranges::all_of(memory, is_too_fast)) return {};
  return fmt::format(
      "would transfer {:.1f} GB/s at memory level, more than {} gives ({:.1f} GB/s): its accesses, its time "
      "and the roofs are not from the same machine and threads",
      memory.back().rate, memory.back().name(), memory.back().value);
}

// Whether the Point uses the data that fits in a cache many times.
bool stays_in_cache(const Point& point, const Surroundings& around) {
  constexpr double often = 8;
  const double accessed = point.load_bytes + point.store_bytes;
  return around.fitting_level && accessed >= often * static_cast<double>(around.data_bytes);
}

// This cache and those before it; all if none of these is known.
std::vector<Limit> up_to(const Level& level, const std::vector<Limit>& caches) {
  const auto kept = those(caches, [&](const Limit& limit) { return limit.level <= level; });
  return kept.empty() ? caches : kept;
}

// The peak that the Point exceeds, or L1: no code exceeds them. nullptr if there is none. A roof of another
// mix of loads and stores is no such limit.
const Limit* exceeded(const Point& point, const Reading& reading, const std::vector<Limit>& caches,
                      const std::vector<Limit>& flops) {
  if (!flops.empty() && is_above(reading, flops.back(), reading.slowest)) return &flops.back();
  if (caches.empty() || !is_first_cache(caches.back().level) || !has_like_mix(caches.back(), point))
    return nullptr;
  return is_above(reading, caches.back(), reading.slowest) ? &caches.back() : nullptr;
}

// The roof that is nearest to the Point among those that it is not above. Of the `highest` bandwidth and the
// highest peak, which no code exceeds, the interval of its time counts too.
const Limit* nearest_of(const Reading& reading, const std::vector<Limit>& limits) {
  const Limit *nearest = nullptr, *bandwidth = nullptr, *peak = nullptr;
  for (const Limit& limit : limits) {
    const Limit*& highest = limit.kind == Limit::Kind::flops ? peak : bandwidth;
    if (highest == nullptr || limit.value > highest->value) highest = &limit;
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Limit& limit : limits) {
    const double share = reached(reading, limit), away = std::abs(std::log(share));
    const bool is_highest = &limit == bandwidth || &limit == peak;
    if (share <= 0 || away >= least || is_above(reading, limit, is_highest ? reading.slowest : 1)) continue;
    least = away;
    nearest = &limit;
  }
  return nearest;
}

// The highest roof of the location, if the one that was found is a lower one of them: where each cluster's
// data lies is not known well enough to tell them apart.
void find_higher(const std::vector<Limit>& memory, const std::vector<Limit>& side, const Reading& reading,
                 Surroundings& around) {
  const Limit::Kind kind = reading.limit.kind;
  if (kind == Limit::Kind::cache || kind == Limit::Kind::flops) return;
  const std::vector<Limit>& all = kind == Limit::Kind::side_cache ? side : memory;
  if (!all.empty() && all.back().value > reading.limit.value) around.higher = all.back();
}

// The location of a simulated Point is not recorded, and several are possible.
bool is_of_unknown_place(const Point& point, const Surroundings& around, const std::vector<Limit>& memory,
                         const Limit& nearest) {
  return point.simulated && around.shares.empty() && !accesses_no_memory(point) && memory.size() > 1 &&
         nearest.kind != Limit::Kind::flops;
}

// Whether the Point is between the roofs of the memory and of a cache, and near none.
bool is_between(const Reading& reading, bool above_memory) {
  return above_memory && reading.limit.kind == Limit::Kind::cache &&
         100 * reached(reading, reading.limit) < bound_from_percent;
}

// Reads a Point whose samples are too few by the shares of its pages.
Reading read_by_pages(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid) {
  Point by_pages = point;
  forget_access(by_pages);
  Reading reading = read_point(roofs, by_pages, cluster, hybrid);
  const std::string note = sentence(few_samples_note(point));
  reading.verdict.add(fmt::format("But {}.", note));
  return reading;
}

}  // namespace

const FunctionReading* function_reading(const Reading& reading, std::size_t function) {
  const auto found = std::ranges::find(reading.functions, function, &FunctionReading::function);
  return found == reading.functions.end() ? nullptr : &*found;
}

double reached(const Reading& reading, const Limit& limit) {
  if (limit.rate > 0) return limit.rate / limit.value;
  return (limit.kind == Limit::Kind::flops ? reading.gflop_per_s : reading.gb_per_s) / limit.value;
}

bool is_above(const Reading& reading, const Limit& limit, double rate_share) {
  return rate_share * reached(reading, limit) > std::max(stands_at, limit.hi / limit.value);
}

Bound bound_by(const Reading& reading, const Limit& limit, double attainable_percent) {
  if (is_above(reading, limit)) return Bound::no;
  // The share that validation programs reach counts as 100 %. What the Point itself reaches is no less than
  // its roof.
  const double percent = std::min(100.0, 1e4 * reached(reading, limit) / attainable_percent);
  const double most = std::max(limit.value, limit.hi) / limit.value;
  if (percent >= bound_from_percent * most) return Bound::yes;
  return percent * limit.value >= bound_from_percent * limit.lo ? Bound::maybe : Bound::no;
}

Reading read_point(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid) {
  if (has_few_samples(point)) return read_by_pages(roofs, point, cluster, hybrid);
  Reading reading = rates(roofs, point, cluster);
  reading.verdict.answer = uneven_words(roofs, point);
  if (!reading.verdict.empty()) return reading;
  if (!point.levels.empty()) return read_needs(roofs, point, reading, hybrid);
  Surroundings around;
  around.shares = node_shares(point);
  const std::vector<Limit> memory = memory_limits(roofs, point, cluster, around.shares, hybrid);
  find_fitting_cache(roofs, point, cluster, around);
  const std::vector<Limit> all_caches = cache_limits(roofs, point, cluster);
  const bool fits = stays_in_cache(point, around);
  reading.in_cache = !all_caches.empty() && (fits || accesses_no_memory(point));
  const std::vector<Limit> caches =
      reading.in_cache && fits ? up_to(*around.fitting_level, all_caches) : all_caches;
  const std::vector<Limit> flops = flop_limits(roofs, point, cluster);
  const std::vector<Limit> side = side_cache_limits(roofs, point, cluster, around.shares);
  std::vector<Limit> limits;
  if (!reading.in_cache) {
    limits = memory;
    limits.insert(limits.end(), side.begin(), side.end());
  }
  for (const auto* more : {&caches, &flops}) limits.insert(limits.end(), more->begin(), more->end());
  reading.verdict.answer = too_fast_words(reading, memory);
  if (!reading.verdict.empty()) return reading;
  const Limit* const nearest = nearest_of(reading, limits);
  if (nearest == nullptr) {
    reading.verdict.answer = above_all_words(roofs, point, cluster, limits);
    return reading;
  }
  if (const Limit* const highest = exceeded(point, reading, caches, flops)) {
    const bool peak = highest->kind == Limit::Kind::flops;
    reading.verdict.answer = fmt::format(
        "is above {}, the highest {}: its counts, its time and the roofs are not from the same machine and "
        "threads",
        highest->name(), peak ? "peak" : "bandwidth");
    return reading;
  }
  if (is_of_unknown_place(point, around, memory, *nearest)) {
    reading.verdict.answer =
        "is simulated, and where its data lies under that policy is not recorded: which memory limits it is "
        "not known";
    return reading;
  }
  reading.limit = *nearest;
  reading.attainable_percent = 100 * attainable_share(roofs, reading);
  around.above_memory =
      !reading.in_cache && !memory.empty() &&
      std::ranges::all_of(memory, [&](const Limit& limit) { return is_above(reading, limit); });
  if (bound_by(reading, reading.limit, reading.attainable_percent) == Bound::no) {
    const std::optional<Level> level = reading.in_cache ? around.fitting_level : std::nullopt;
    reading.verdict.answer =
        unknown_location_words(roofs, point, reading, {memory, side, caches, level, around.shares});
    if (reading.verdict.empty() && is_between(reading, around.above_memory))
      reading.verdict = undecided_verdict(reading, memory.back());
    if (!reading.verdict.empty()) {
      reading.limit = {};
      return reading;
    }
  }
  reading.roof = nearest->name();
  reading.reached_percent = 100 * reached(reading, *nearest);
  around.more_threads = is_of_more_threads(roofs, point, cluster, reading.limit.threads);
  find_higher(memory, side, reading, around);
  set_headroom(reading, around.more_threads, around.higher.hi);
  around.memory_known = !memory.empty();
  for (const Limit& limit : memory) {
    if (around.above_memory && limit.value > around.behind.value) around.behind = limit;
  }
  around.cores = cores_of(roofs, cluster);
  around.cores_used = cores_used(roofs, point, cluster);
  around.fewer_threads = most_of_fewer_threads(roofs, cluster, around.cores_used);
  around.no_peak = flops.empty() && point.flops > 0;
  around.peak_beyond = peak_beyond(point, flops, reading);
  reading.verdict = verdict(point, reading, around);
  return reading;
}

Reading read_point(const Roofs& roofs, const Point& point, const MixModel& hybrid) {
  if (point.cluster >= 0) return read_point(roofs, point, point.cluster, hybrid);
  Reading nearest = rates(roofs, point, 0);
  nearest.verdict.answer = "no roofs were measured";
  for (const int cluster : clusters_of(roofs)) {
    Reading reading = read_point(roofs, point, cluster, hybrid);
    if (cluster == *clusters_of(roofs).begin() || reading.reached_percent > nearest.reached_percent)
      nearest = std::move(reading);
  }
  return nearest;
}

}  // namespace gable::model
