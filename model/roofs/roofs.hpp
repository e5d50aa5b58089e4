#pragma once

// From Samples to Roofs: pure arithmetic.

#include <cstdint>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/roofs/validation.hpp"

namespace gable::model {

/// What the topology says of one cache level.
struct CacheClaim {
  int level = 0;
  std::uint64_t bytes = 0;  ///< of one instance; 0: nothing
};

/// A cache level as the working-set ladder shows it, beside what the topology claims.
struct CacheLevel {
  int cluster = 0;
  std::string level;                ///< "L1", "L2", "L3"
  std::uint64_t claimed_bytes = 0;  ///< 0: the topology says nothing
  std::uint64_t measured_bytes =
      0;  ///< largest working set that still runs at this level's speed; 0: not seen
  bool confirmed = false;
  std::string remark;  ///< what a person should know when it is not confirmed

  bool operator==(const CacheLevel&) const = default;
};

/// The content of roofs.json.
struct Roofs {
  std::vector<Roof> roofs;   ///< kinds bandwidth, flops, latency, loaded_latency
  std::vector<Roof> ladder;  ///< pattern "ladder": bandwidth and latency against the working set
  std::vector<CacheLevel> levels;
  std::vector<Validation> validation;  ///< of the bandwidth roofs of loads
  int machine_clusters = 0;            ///< that the topology has, which roofs.json does not say; 0: not known

  bool operator==(const Roofs&) const = default;
};

/// One Roof per Case, in the order the Cases first appear. A Case whose Samples are all skipped or invalid
/// gives a Roof with the last one's status and reason; invalid Samples enter no value. A Sample that is there
/// twice, equal in every field, counts once.
std::vector<Roof> fit_roofs(const std::vector<Sample>& samples);

/// The cache levels of every cluster that the ladder visits with one thread: plateaus of latency (of
/// bandwidth where no latency was measured) against the working set, matched with `claims`.
std::vector<CacheLevel> confirm_levels(const std::vector<Roof>& ladder,
                                       const std::vector<CacheClaim>& claims);

/// All of the above. Samples of pattern "hybrid" make no roof: a grid's cell would be taken for a memory.
/// Points of validation stand under the roofs and are none.
Roofs fit(const std::vector<Sample>& samples, const std::vector<CacheClaim>& claims);

/// The best ok Roof of those that satisfy the given fields: lowest of the latencies, highest of all else. An
/// empty string, node -1, threads 0 and bytes 0 stand for any; kind, cluster and load_percent are always
/// compared, smt never; a ladder is found only by its pattern. nullptr where none is.
const Roof* best_roof(const std::vector<Roof>& roofs, const Case& like);

/// roofs.json, one Roof a line. Value and interval of a Roof that is not ok are null.
std::string roofs_to_json(const Roofs& roofs);
/// Throws FormatError that names `path` and the line.
Roofs roofs_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model
