#pragma once

// From Samples to Roofs: pure arithmetic.

#include <map>
#include <string>
#include <vector>

#include "model/records.hpp"

namespace gable::model {

/// A cache level as the working-set ladder shows it, beside what the topology claims.
struct CacheLevel {
  int cluster = 0;
  std::string level;  ///< "L1", "L2", "L3"
  std::uint64_t claimed_bytes = 0;
  std::uint64_t measured_bytes =
      0;  ///< largest working set that still runs at this level's speed; 0: not seen
  bool confirmed = false;
  std::string remark;  ///< what a person should know when it is not confirmed
};

/// The content of roofs.json.
struct Roofs {
  std::vector<Roof> roofs;   ///< kinds bandwidth, flops, latency, loaded_latency
  std::vector<Roof> ladder;  ///< pattern "ladder": bandwidth and latency against the working set
  std::vector<CacheLevel> levels;
};

/// One Roof per Case, in the order the Cases first appear. A Case whose Samples are all skipped or invalid
/// gives a Roof with that status and the last reason; invalid Samples enter no value.
std::vector<Roof> fit_roofs(const std::vector<Sample>& samples);

/// The best ok Roof of those that satisfy the given fields, over page sizes (and kernels); nullptr where none
/// is.
const Roof* best_roof(const std::vector<Roof>& roofs, const Case& like);

std::string roofs_to_json(const Roofs& roofs);
Roofs roofs_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model
