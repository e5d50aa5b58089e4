#pragma once

// Invented placements of PageRank.

#include <string>
#include <vector>

#include "model/records/placed.hpp"

namespace gable::model::invented {

/// The tier of "DRAM" and other names of tiers; "node:1" and paths count as a file.
inline Tier kind_of(const std::string& tier) {
  return named<Tier>(tier).value_or(Tier::file);
}

/// Ten runs whose times differ by at most `spread` from `seconds`.
inline Placed placed_record(const std::string& variant, const std::string& graph_tier,
                            const std::string& temporary_tier, double seconds, double spread = 0.01) {
  Placed placed;
  placed.workload = "pagerank";
  placed.variant = variant;
  placed.graph = "a graph";
  placed.vertices = 10;
  placed.edges = 20;
  placed.threads = 2;
  const int node = graph_tier == "NVM" || graph_tier == "node:1" ? 1 : 0;
  placed.parts = {{"graph", graph_tier, kind_of(graph_tier), "", 64u << 20, {{node, 64u << 20}}},
                  {"temporary", temporary_tier, kind_of(temporary_tier), "", 32u << 20, {}}};
  for (int i = 0; i < 10; ++i) {
    placed.seconds.push_back(seconds * (1 + spread * (i - 4.5) / 4.5));
    placed.traversed.push_back(1e9);
  }
  placed.verified = "serial push";
  return placed;
}

/// The four placements in DRAM (D) and NVM (P), by their times.
inline std::vector<Placed> four_placements(double dd, double dp, double pd, double pp, double spread = 0.01) {
  return {placed_record("16 ranks", "DRAM", "DRAM", dd, spread),
          placed_record("16 ranks", "DRAM", "NVM", dp, spread),
          placed_record("16 ranks", "NVM", "DRAM", pd, spread),
          placed_record("16 ranks", "NVM", "NVM", pp, spread)};
}

inline Placed published_placement(const std::string& graph_tier, double teps) {
  Placed placed = placed_record("16 ranks", graph_tier, "DRAM", 1);
  placed.ranks = 16;
  for (PlacedPart& part : placed.parts) part.bytes = 0;
  placed.seconds.clear();
  placed.traversed.clear();
  placed.source = "table 3.3";
  placed.published_teps = teps;
  placed.published_runs = 10;
  return placed;
}

}  // namespace gable::model::invented
