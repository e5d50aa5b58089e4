#pragma once

// What --tiers of `gable place` names.

#include <string>
#include <vector>

#include "bench/tiers/tier.hpp"

namespace gable::cli {

/// Those that were named, for the threads of `cluster`, or one for each kind of memory that the machine has.
/// Throws UsageError for a tier that is not there, and for one that is named twice.
std::vector<bench::Tier> tiers_of(const machines::Machine& machine, std::vector<std::string> names,
                                  int cluster);

}  // namespace gable::cli
