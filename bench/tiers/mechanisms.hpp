#pragma once

// What memory can come from. A new mechanism: its file, and its line in tier.cpp.

#include <optional>

#include "bench/tiers/tier.hpp"

namespace gable::bench {

/// Each gives nothing where the name is not one of its own, and throws TierError where it is one that cannot
/// be had.
using FindTier = std::optional<Tier> (*)(const std::string& name, const machines::Machine& machine,
                                         int cluster);

std::optional<Tier> find_node_tier(const std::string& name, const machines::Machine& machine, int cluster);
std::optional<Tier> find_file_tier(const std::string& name, const machines::Machine& machine, int cluster);
std::optional<Tier> find_memkind_tier(const std::string& name, const machines::Machine& machine, int cluster);

}  // namespace gable::bench
