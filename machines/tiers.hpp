#pragma once

// The tiers of memory: how what hwloc shows of a node tells what it is made of.

#include <optional>
#include <string>

namespace gable::machines {

/// What hwloc attaches to a node.
struct Label {
  std::string subtype;   ///< "MCDRAM", "NVM", ...
  std::string dax_type;  ///< the DAX device the node was made from: "NVM", "SPM"
  bool cxl_device = false;
};

/// A node beside plain memory, both seen from one cluster; a ratio that is not known is empty.
struct Speed {
  std::optional<double> bandwidth;
  std::optional<double> latency;
};

/// The tier by name or origin; empty where neither tells.
std::string tier_by_label(const Label& label);

/// The tier of a node that no label tells; "DRAM" where nothing speaks against it.
std::string tier_by_speed(const Speed& speed, const Label& label);

}  // namespace gable::machines
