#pragma once

// The tiers of memory: finds the kind of a node's memory from hwloc's information.

#include <optional>
#include <string>

#include "model/domain/tier.hpp"

namespace gable::machines {

/// hwloc's information about a node.
struct Label {
  std::string subtype;   ///< "MCDRAM", "NVM", ...
  std::string dax_type;  ///< the DAX device the node was made from: "NVM", "SPM"
  bool cxl_device = false;
};

/// A node compared with ordinary memory, both seen from one cluster; unknown ratios are empty.
struct Speed {
  std::optional<double> bandwidth;
  std::optional<double> latency;
};

/// The tier by name or origin; none if neither determines it.
model::Tiers tier_by_label(const Label& label);

/// The tier of a node without a label; "DRAM" unless something else is indicated.
model::Tier tier_by_speed(const Speed& speed, const Label& label);

}  // namespace gable::machines
