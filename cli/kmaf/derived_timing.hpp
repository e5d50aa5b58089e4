#pragma once

// What gable kmaf replay needs of a machine, from what gable measure found out about it.

#include <string>
#include <vector>

#include "kmaf/replay/machine/simulated_machine.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

struct DerivedTiming {
  kmaf::Timing timing;
  kmaf::TierFigures tiers;           ///< those of memory nodes without cores that were measured
  std::vector<std::string> sources;  ///< "l1_ns 1.27: idle latency of L1, median of 2 figures"
};

/// Reads DIR/roofs.json, or DIR/samples.jsonl where there is no roofs.json: idle latencies, and the load
/// bandwidths of each cluster alone from its own and from another cluster's memory. Throws Error::usage that
/// names what cannot be derived, and why; a tier of memory nodes without cores is left out instead.
DerivedTiming derived_timing(const std::string& folder, const machines::Machine& machine);

}  // namespace gable::cli
