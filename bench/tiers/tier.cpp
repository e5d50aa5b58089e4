#include "bench/tiers/tier.hpp"

#include <fmt/core.h>
#include <map>

#include "base/error.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/buffers/residence.hpp"
#include "bench/tiers/mechanisms.hpp"

namespace gable::bench {

namespace {

constexpr FindTier mechanisms[] = {find_memkind_tier, find_file_tier, find_node_tier};

constexpr double most_of_free = 0.9;  // the rest is for page tables and other processes

std::string source_of(const Tier& tier) {
  if (tier.node) return fmt::format("node {}", *tier.node);
  return tier.file_system ? fmt::format("file system {}", *tier.file_system) : "tier " + tier.name;
}

}  // namespace

std::map<int, std::uint64_t> Region::residence(std::size_t most_pages) const {
  return sampled_residence(bytes_.data(), bytes_.size() / small_page(), small_page(), most_pages);
}

Tier find_tier(const std::string& name, const machines::Machine& machine, int cluster) {
  for (const FindTier find : mechanisms) {
    if (auto tier = find(name, machine, cluster)) return *std::move(tier);
  }
  throw Error::unavailable(
      fmt::format("no tier '{}': name DRAM, HBM, NVM, CXL, a memory node (node:0), a folder or new file "
                  "(with a slash), or "
                  "a memkind kind (memkind:hbw); 'gable machine' shows the nodes",
                  name));
}

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
