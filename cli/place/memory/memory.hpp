#pragma once

// gable place DIR --bench memory: what the memory of every tier itself can do.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/memory/tier_cells.hpp"

namespace gable::cli {

struct PlaceMemory {
  std::string folder;
  std::vector<std::string> tiers, vendors;
  bool list = false, json = false, quiet = false;
  bench::TierOptions options;
};

/// The options of --bench memory alone.
void define_place_memory(CLI::App& command, PlaceMemory& asked);

/// Measures what DIR/tiers.jsonl does not have yet, and prints all of it.
void place_memory(const PlaceMemory& asked);

}  // namespace gable::cli
