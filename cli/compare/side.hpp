#pragma once

// A recorded folder as gable compare reads it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/show/recorded.hpp"
#include "model/virt/summary.hpp"

namespace gable::cli {

struct Side {
  /// Whether a memory-side cache is before this node's memory; without a node, before any.
  bool has_side_cache(std::optional<int> node = {}) const;

  ShownFolder shown;
  std::string label;                       ///< distinguishes it from the others: the name of its folder
  std::map<std::string, int> rounds;       ///< valid rounds by key(Case), of samples.jsonl; empty without it
  std::map<std::string, int> tier_rounds;  ///< the same by key(TierCase), of tiers.jsonl
  int hybrid_rounds = 0;                   ///< of the hybrid grid; 0: not known
  double clock_ghz = 0;                    ///< median of what was measured; 0: not known
  std::string started;                     ///< of the first sample, UTC; empty: not known
  std::vector<Fact> facts;                 ///< also of clusters, caches, nodes, and of the run
  model::VirtSummary virt;                 ///< of virt.jsonl; empty where there is none
};

/// Throws as read_folder and machine_folder.
Side read_side(const std::string& named);

/// Gives the sides labels: the last names of their folders or, if these are equal, the folders. Of a folder
/// that is given twice, the second is "joe0 (2)".
/// `names`, if there are any, are the labels.
void label_sides(std::vector<Side>& sides, const std::vector<std::string>& named,
                 const std::vector<std::string>& names);

/// A fact that is not the same on all sides.
struct Change {
  std::string group, name;
  std::vector<std::string> values;  ///< one per side
};

std::vector<Change> changes_of(const std::vector<Side>& sides);

}  // namespace gable::cli
