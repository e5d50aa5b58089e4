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

/// The label of a node. If hwloc has no subtype, as versions before 2.10 for memory behind CXL, and later
/// ones for files that earlier ones wrote, it is the one that hwloc 2.12 finds for the same memory.
Label label(const std::string& subtype, const std::string& dax_type, bool cxl_device);

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
