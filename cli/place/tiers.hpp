#pragma once

// The tiers named by --tiers of `gable place`.

#include <string>
#include <vector>

#include "bench/tiers/tier.hpp"

namespace gable::cli {

/// The named ones, for the threads of `cluster`, or one for each kind of memory of the machine.
/// Throws Error::usage for an unknown tier, and for one that is named twice.
std::vector<bench::Tier> tiers_of(const machines::Machine& machine, std::vector<std::string> names,
                                  int cluster);

}  // namespace gable::cli
