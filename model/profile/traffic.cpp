#include "model/profile/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/lists.hpp"

namespace gable::model {
namespace {

// The part of a bucket's distances that are below `distance`.
double part_below(int bucket, double distance) {
  if (bucket >= never_used) return 0;
  if (bucket == 0) return distance > 0 ? 1 : 0;
  if (distance < 1) return 0;
  const double position = 4 * std::log2(distance) - (bucket - 1);
  return std::fmin(std::fmax(position, 0), 1);
}

// Returns the part of a bucket's depths that are below the number of ways.
double part_in_ways(int bucket, int ways) {
  if (bucket >= never_deep) return 0;
  if (bucket < exact_depths) return bucket < ways ? 1 : 0;
  return std::fmin(std::fmax(4 * std::log2(ways) - bucket, 0), 1);
}

// These return the depth and the distance in the middle of a bucket.
double depth_in(int bucket) {
  return bucket < exact_depths ? bucket : std::floor(std::exp2((bucket + 0.5) / 4));
}

double distance_in(int bucket) {
  return bucket == 0 ? 0 : std::floor(std::exp2((bucket - 0.5) / 4));
}

// Returns the probability that fewer than `ways` of `depth` lines are in one set. Each is in it with the
// probability `part`.
double chance_in_ways(double depth, int ways, double part) {
  double chance = 0, term = std::exp(depth * std::log1p(-part));
  for (int lines = 0; lines < ways && lines <= depth; ++lines) {
    chance += term;
    term *= (depth - lines) / (lines + 1) * part / (1 - part);
  }
  return std::fmin(chance, 1);
}

// Returns the traffic of misses and of dirty lines. `hit` gives the part of a bucket's lines that the cache
// holds.
template <typename Hit>
Traffic traffic_of(const UseCounts& uses, Hit hit) {
  const auto missed = [&](const Distances& of) {
    double lines = 0;
    for (const auto& [bucket, number] : of) lines += number * (1 - hit(bucket));
    return profile_line_bytes * lines;
  };
  Traffic traffic;
  for (int order = 0; order < access_orders; ++order) {
    traffic.read[order] = missed(uses.read[order]);
    traffic.written[order] = missed(uses.written[order]);
  }
  for (const auto& [bucket, difference] : uses.written_back)
    traffic.written_back += profile_line_bytes * difference * hit(bucket);
  traffic.written_back = std::fmax(traffic.written_back, 0);  // which their rounded sum may miss by a hair
  return traffic;
}

Traffic operator*(Traffic traffic, double part) {
  for (int order = 0; order < access_orders; ++order) {
    traffic.read[order] *= part;
    traffic.written[order] *= part;
  }
  traffic.written_back *= part;
  traffic.streamed *= part;
  return traffic;
}

const UseCounts& depths_among(const LineUses& uses, int sets) {
  static const UseCounts none;
  const auto found = uses.sets.find(sets);
  return found == uses.sets.end() ? none : found->second;
}

// Returns the traffic if the address selects the set among `known` sets, and chance selects it beyond that.
Traffic traffic_where_known(const LineUses& uses, const ProfileCache& cache, int known) {
  const double part = known / sets_of(cache);
  return traffic_of(depths_among(uses, known), [&](int bucket) {
    if (part >= 1 || bucket >= never_deep) return part_in_ways(bucket, cache.ways);
    return chance_in_ways(depth_in(bucket), cache.ways, part);
  });
}

// Whether profiles have the depths for its number of sets.
bool is_recorded(const ProfileCache& cache) {
  const double sets = sets_of(cache);
  const auto whole = static_cast<int>(sets);
  return whole == sets && cache.ways <= deepest && is_among(recorded_sets, whole);
}

bool has_sets(const Profile& profile, const ProfileCache& cache) {
  return profile.sets_followed > 0 && sets_of(cache) > 0;
}

}  // namespace

double Traffic::fetched() const {
  return std::accumulate(read.begin(), read.end(), 0.0) +
         std::accumulate(written.begin(), written.end(), 0.0);
}

double Traffic::fetched(AccessOrder order) const {
  const int index = static_cast<int>(order);
  return read[index] + written[index];
}

Traffic& Traffic::operator+=(const Traffic& more) {
  for (int order = 0; order < access_orders; ++order) {
    read[order] += more.read[order];
    written[order] += more.written[order];
  }
  written_back += more.written_back;
  streamed += more.streamed;
  return *this;
}

double at_least(const Distances& distances, double distance) {
  double sum = 0;
  for (const auto& [bucket, lines] : distances) sum += lines * (1 - part_below(bucket, distance));
  return sum;
}

Traffic traffic_behind(const UseCounts& uses, double cache_bytes) {
  const double lines = cache_bytes / profile_line_bytes;
  return traffic_of(uses, [&](int bucket) { return part_below(bucket, lines); });
}

double from_other_caches(const ProfileUses& uses, double fetched, double bytes_of_all_caches) {
  double written = 0;
  for (const auto& orders : {uses.own.read, uses.own.written}) {
    for (const Distances& distances : orders) {
      const auto found = distances.find(written_by_other);
      if (found != distances.end()) written += profile_line_bytes * found->second;
    }
  }
  if (written <= 0) return 0;
  return std::clamp(fetched - traffic_behind(uses.all, bytes_of_all_caches).fetched(), 0.0, written);
}

bool is_far_from_all_sets(const Profile& profile) {
  constexpr double too_much = 0.05;
  return profile.sets_error > too_much;
}

double sets_of(const ProfileCache& cache) {
  if (cache.ways <= 0) return 0;
  const double sets = cache.bytes / profile_line_bytes / cache.ways;
  return sets >= sets_of_page ? sets : 0;
}

Traffic traffic_behind_sets(const LineUses& uses, const ProfileCache& cache) {
  Traffic traffic = traffic_where_known(uses, cache, sets_of_page);
  if (!is_recorded(cache) || cache.huge_pages <= 0 || sets_of(cache) == sets_of_page) return traffic;
  traffic = traffic * (1 - cache.huge_pages);
  traffic += traffic_where_known(uses, cache, static_cast<int>(sets_of(cache))) * cache.huge_pages;
  return traffic;
}

bool writes_back_at_least(const ProfileCache& cache) {
  if (sets_of(cache) <= sets_of_page) return false;
  return !is_recorded(cache) || cache.huge_pages < 1;
}

Traffic traffic_behind_spread(const UseCounts& uses, const ProfileCache& cache) {
  return traffic_of(uses, [&](int bucket) {
    return bucket >= never_used ? 0 : chance_in_ways(distance_in(bucket), cache.ways, 1 / sets_of(cache));
  });
}

bool knows_conflicts(const Profile& profile, const ProfileCache& cache) {
  return has_sets(profile, cache) && !is_far_from_all_sets(profile);
}

Traffic traffic_behind(const Profile& profile, const ProfileUses& uses, const ProfileCache& cache) {
  const LineUses& lines = cache.is_shared ? uses.all : uses.own;
  if (knows_conflicts(profile, cache) && !cache.by_chance) return traffic_behind_sets(lines, cache);
  return cache.by_chance || has_sets(profile, cache) ? traffic_behind_spread(lines, cache)
                                                     : traffic_behind(lines, cache.bytes);
}

}  // namespace gable::model
