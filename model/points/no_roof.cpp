#include "model/points/no_roof.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/words.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/threads.hpp"
#include "model/records/names.hpp"

namespace gable::model {
namespace {

bool has_roofs(const Roofs& roofs, int cluster) {
  return std::ranges::any_of(roofs.roofs, [&](const Roof& roof) {
    return roof.spec.cluster == cluster && roof.status == Status::ok;
  });
}

// Whether the limit is L1 or a peak, which no code exceeds.
bool is_of_core(const Limit& limit) {
  return limit.kind == Limit::Kind::flops || is_first_cache(limit.level);
}

// Whether a roof is, or would be, one of this location.
bool is_of_location(const Case& spec, const Point& point, const std::map<int, double>& shares) {
  if (spec.kind != Kind::bandwidth) return false;
  if (point.alone) return is_one_to_one(spec.pattern) && shares.contains(spec.node);
  if (shares.size() == 1) return spec.pattern == Pattern::contended && shares.contains(spec.node);
  return spec.pattern == Pattern::congested;
}

// ": of node 1, remote is skipped (REASON)", from the first figure that is not ok.
std::string reason_words(const Roofs& roofs, const Point& point, int cluster, bool side_cache,
                         const std::map<int, double>& shares) {
  const auto found = std::ranges::find_if(roofs.roofs, [&](const Roof& roof) {
    return roof.status != Status::ok && roof.spec.cluster == cluster &&
           is_memory(roof.spec.level) != side_cache && is_of_location(roof.spec, point, shares);
  });
  if (found == roofs.roofs.end()) return {};
  const std::string node = found->spec.node < 0 ? "all nodes" : fmt::format("node {}", found->spec.node);
  return fmt::format(": {} of {} {}{}", pattern_text(found->spec.pattern), node,
                     found->status == Status::skipped ? "was skipped" : "is invalid",
                     found->reason.empty() ? "" : " (" + sentence(found->reason) + ")");
}

// The memory-side cache in front of these nodes; empty if none is known.
std::string side_cache_of(const Roofs& roofs, const std::map<int, double>& shares) {
  const auto found = std::ranges::find_if(roofs.roofs, [&](const Roof& roof) {
    const Case& spec = roof.spec;
    return spec.kind == Kind::bandwidth && is_side_cache(spec.level) && !shares.empty() &&
           (spec.node < 0 || shares.contains(spec.node));
  });
  return found == roofs.roofs.end() ? "" : found->spec.level.name();
}

// A cache without a roof between the Point's data and the slowest cache that could serve it; empty if there
// is none.
std::string unmeasured_cache(const Roofs& roofs, const Reading& reading, const AtLocation& at) {
  const auto slowest =
      std::ranges::find_if(at.caches, [&](const Limit& limit) { return !is_above(reading, limit); });

  std::set<Level> levels = {Level::cache(1)};
  for (const CacheLevel& level : roofs.levels) {
    if (level.cluster == reading.cluster) levels.insert(level.level);
  }
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.cluster == reading.cluster && is_in_cache(roof.spec.pattern))
      levels.insert(roof.spec.level);
  }
  const auto is_missing = [&](const Level& level) {
    return (slowest == at.caches.end() || level > slowest->level) &&
           (!at.in_cache || level <= *at.in_cache) &&
           std::ranges::none_of(at.caches, [&](const Limit& limit) { return limit.level == level; });
  };
  const auto found = std::ranges::find_if(levels, is_missing);
  return found == levels.end() ? "" : found->name();
}

bool is_above_all(const Reading& reading, const std::vector<Limit>& memory) {
  return std::ranges::all_of(memory, [&](const Limit& limit) { return is_above(reading, limit); });
}

}  // namespace

std::string uneven_words(const Roofs& roofs, const Point& point) {
  if (point.cluster >= 0) return {};
  constexpr const char* instead =
      "its rates are means over the clusters; add a point for each cluster that it used";
  std::set<std::string> kinds;
  for (const auto& [unused, kind] : roofs.machine_kinds) kinds.insert(kind);
  if (kinds.size() > 1) {
    return fmt::format(
        "no roof is known for cores of several kinds ({}) together: how they share its work is not known, "
        "and {}",
        fmt::join(kinds, ", "), instead);
  }
  const auto clusters = std::lround(1 / cluster_share(roofs, point));
  const int most = threads_at_once(point);
  if (most == 0 || most >= clusters) return {};
  return fmt::format(
      "its {} cannot have used all {} clusters evenly, as a point of all clusters is read: {}",
      point.cores > 0 ? "threads, which share " + count_text(most, "core") + "," : count_text(most, "thread"),
      clusters, instead);
}

std::string above_all_words(const Roofs& roofs, const Point& point, int cluster,
                            const std::vector<Limit>& limits) {
  const int cores = cores_used(roofs, point, cluster);
  if (const int fewer = most_of_fewer_threads(roofs, cluster, cores); fewer > 0) {
    const std::string used = count_text(cores, "thread");
    return fmt::format("{}; the others are of at most {} and cannot limit it",
                       limits.empty() ? "no roof of " + used + " is known" : "is above every roof of " + used,
                       count_text(fewer, "thread"));
  }
  if (!limits.empty() && std::ranges::none_of(limits, is_of_core))
    return fmt::format(
        "is above every roof that is known, but no roof of L1 of cluster {} is; its headroom is not known",
        cluster);
  if (!limits.empty())
    return "is above every roof: its counts, its time and the roofs are not from the same machine and "
           "threads";
  if (has_roofs(roofs, cluster))
    return fmt::format("no roof of cluster {} that could limit it is known: {}", cluster,
                       point.alone ? "neither of that memory nor of caches or peaks"
                                   : "neither of that memory with all clusters busy nor of caches or peaks");
  return fmt::format("no roofs of cluster {} are known: run gable measure and gable fit", cluster);
}

std::string unknown_location_words(const Roofs& roofs, const Point& point, const Reading& reading,
                                   const AtLocation& at) {
  const std::string who =
      fmt::format("cluster {}{}", reading.cluster, point.alone ? "" : " while all clusters are busy");
  const std::string nodes = shares_text(at.shares);
  constexpr const char* so = "; its headroom is not known";
  const bool stays = at.in_cache.has_value();
  if (!stays && at.memory.empty()) {
    if (at.shares.empty())
      return fmt::format("no roof of a memory of {} is known, nor where its data lies{}", who, so);
    return fmt::format("no roof of {} is known for where its data lies ({}){}{}", who, nodes,
                       reason_words(roofs, point, reading.cluster, false, at.shares), so);
  }
  if (!stays && !is_above_all(reading, at.memory)) return {};
  const std::string above = stays ? "" : "is faster than the memory that holds its data, but ";
  const std::string side = side_cache_of(roofs, at.shares);
  if (!stays && !side.empty() && at.side_caches.empty())
    return fmt::format("{}no roof of the memory-side cache {} is known for {} ({}){}{}", above, side, who,
                       nodes, reason_words(roofs, point, reading.cluster, true, at.shares), so);
  const std::string cache = unmeasured_cache(roofs, reading, at);
  if (cache.empty()) return {};
  return fmt::format("{}no roof of {} of cluster {} is known, which may serve its data{}", above, cache,
                     reading.cluster, so);
}

Verdict undecided_verdict(const Reading& reading, const Limit& memory) {
  const double cache = 1 / reading.limit.value, behind = 1 / memory.value;
  const double percent = 100 * (1 / reading.gb_per_s - cache) / (behind - cache);
  const std::string level = reading.limit.level.name();
  return {fmt::format("is undecided between its memory and {0}: it is faster than {1} ({2:.1f} GB/s), so "
                      "caches serve a part of it; its time is explained if {3} of its bytes come from that "
                      "memory and the rest from {0}",
                      level, memory.name(), memory.value, percent_text(percent)),
          "record how many do with `gable point run`, or state it with --level-bytes"};
}

}  // namespace gable::model
