#include "bench/tiers/room.hpp"

#include <fmt/core.h>

#include <map>

#include "base/words.hpp"

namespace gable::bench {

namespace {

constexpr double most_of_free = 0.9;  // the rest is for page tables and other processes

std::string source_of(const Tier& tier) {
  if (tier.node) return fmt::format("node {}", *tier.node);
  return tier.file_system ? fmt::format("file system {}", *tier.file_system) : "tier " + tier.name;
}

}  // namespace

std::string no_room(const std::vector<Wanted>& wanted) {
  std::map<std::string, Wanted> sums;
  for (const auto& [tier, bytes] : wanted) {
    Wanted& sum = sums[source_of(*tier)];
    sum = {tier, sum.second + bytes};
  }
  for (const auto& [source, sum] : sums) {
    const auto& [tier, bytes] = sum;
    const std::optional<std::uint64_t> free = tier->free_bytes();
    if (!free || static_cast<double>(bytes) <= most_of_free * static_cast<double>(*free)) continue;
    return fmt::format("{} has {} free, but {} and a small reserve are needed", tier->name, bytes_text(*free),
                       bytes_text(bytes));
  }
  return "";
}

}  // namespace gable::bench
