#pragma once

// Computes Roofs from Samples, without clock or hardware.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/roofs/best.hpp"
#include "model/roofs/validation.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// The topology's description of one cache level.
struct CacheClaim {
  int level = 0;
  std::uint64_t bytes = 0;  ///< of one instance; 0: unknown
  int cluster = -1;         ///< whose cores use it; -1: those of every cluster
};

/// A cache level as the working-set ladder shows it, and the size that the topology claims.
struct CacheLevel {
  int cluster = 0;
  Level level;                      ///< a cache
  std::uint64_t claimed_bytes = 0;  ///< 0: unknown
  std::uint64_t measured_bytes =
      0;  ///< largest working set that still has this level's latency and bandwidth; 0: unclear
  bool confirmed = false;
  Note remark;  ///< an explanation for the user if it is not confirmed

  bool operator==(const CacheLevel&) const = default;
};

/// The content of roofs.json.
struct Roofs {
  std::vector<Roof> roofs;   ///< kinds bandwidth, flops, latency, loaded_latency
  std::vector<Roof> ladder;  ///< pattern "ladder": bandwidth and latency against the working set
  std::vector<CacheLevel> levels;
  std::vector<Validation> validation;        ///< of the bandwidth roofs of loads
  std::map<int, int> machine_cores;          ///< of each cluster of the topology, which is not in roofs.json
  std::map<int, Tiers> machine_tiers;        ///< likewise: the tier of each memory node; none: unknown
  std::map<int, std::string> machine_kinds;  ///< likewise: the kind of each cluster's cores; empty: one kind
  std::map<int, std::set<int>> machine_nodes;  ///< likewise: the local memory nodes of each cluster
  double machine_clock_ghz = 0;                ///< likewise, as it was published; 0: not known
  /// Nanoseconds of a hand-off of a line, one way, from c2c.jsonl: to a core of the same cluster, and to one
  /// of another cluster. Nothing: not measured.
  std::optional<Estimate> line_in_cluster, line_between_clusters;

  bool operator==(const Roofs&) const = default;
};

/// One Roof per Case, in the order of the Cases' first Samples. If all Samples of a Case are skipped or
/// invalid, the Roof has the status and reason of the last one. Invalid Samples never enter a value.
/// Identical Samples count once. Cases that are not wanted make no Roof, but their Samples show the machine's
/// states (model/roofs/states.hpp).
std::vector<Roof> fit_roofs(
    const std::vector<Sample>& samples,
    const std::function<bool(const Case&)>& is_wanted = [](const Case&) { return true; });

/// The cache levels of every cluster whose ladder was measured with one thread: plateaus over the working
/// set, matched with the `claims` of this cluster. Latency and bandwidth are judged each by itself; where
/// both show the level, but its end at different sizes, the remark has both, and the smaller one is the
/// measured size. Where they contradict each other, the level is unclear. A range that rises slowly has no
/// edge.
std::vector<CacheLevel> confirm_levels(const std::vector<Roof>& ladder,
                                       const std::vector<CacheClaim>& claims);

/// Corrects idle latencies of memory that fall when other cores load it: the core clock or the uncore of an
/// idle machine is slow. The idle latency becomes the lowest loaded latency of the same memory if that is
/// lower by more than the intervals of both and 2 %. The remarks of these roofs explain it, with the figure
/// of the idle machine.
void correct_idle_latencies(std::vector<Roof>& roofs);

/// All of the above. Samples of pattern "hybrid" make no Roof, because a cell of a grid would look like a
/// memory. Points of validation are no Roofs either.
Roofs fit(const std::vector<Sample>& samples, const std::vector<CacheClaim>& claims);

/// roofs.json, one Roof per line. Value and interval of a Roof that is not ok are null.
std::string roofs_to_json(const Roofs& roofs);
/// Throws an Error::format that names `path` and the line.
Roofs roofs_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model
