#pragma once

// gable place DIR --bench memory: the performance of every tier's memory.

#include <string>
#include <vector>

#include "bench/memory/tier_cells.hpp"

namespace gable::cli {

struct PlaceMemory {
  std::string folder;
  std::vector<std::string> tiers;    ///< as for tiers_of
  std::vector<std::string> vendors;  ///< vendors' claims, such as "NVM:read=40.8,write=11.1"
  bool list = false;                 ///< measure nothing, print what is recorded
  bool json = false;
  bool quiet = false;  ///< no progress
  bench::TierOptions options;
};

/// Measures what DIR/tiers.jsonl does not have yet, and prints all of it.
void place_memory(const PlaceMemory& arguments);

}  // namespace gable::cli
