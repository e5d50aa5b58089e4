#pragma once

// The sources of memory. To add a mechanism, write its file and its line in tier.cpp.

#include <optional>

#include "bench/tiers/tier.hpp"

namespace gable::bench {

/// Each returns nothing for a name of another mechanism, and throws Error::unavailable if its own is not
/// available.
using FindTier = std::optional<Tier> (*)(const std::string& name, const machines::Machine& machine,
                                         int cluster);

std::optional<Tier> find_node_tier(const std::string& name, const machines::Machine& machine, int cluster);
std::optional<Tier> find_file_tier(const std::string& name, const machines::Machine& machine, int cluster);
std::optional<Tier> find_memkind_tier(const std::string& name, const machines::Machine& machine, int cluster);

}  // namespace gable::bench
