#include "bench/tiers/tier.hpp"

#include <fmt/core.h>
#include <numaif.h>

#include "base/error.hpp"
#include "base/pages.hpp"
#include "bench/buffers/residence.hpp"
#include "bench/tiers/mechanisms.hpp"

namespace gable::bench {

namespace {

constexpr FindTier mechanisms[] = {find_memkind_tier, find_file_tier, find_node_tier};

}  // namespace

std::map<int, std::uint64_t> Region::residence(std::size_t most_pages) const {
  const std::size_t pages = bytes_.size() / small_page();
  std::vector<void*> addresses;
  for (const std::size_t i : representative_pages(pages, most_pages))
    addresses.push_back(bytes_.data() + i * small_page());
  std::vector<int> status(addresses.size(), -1);
  std::map<int, std::uint64_t> found;
  if (addresses.empty() || move_pages(0, addresses.size(), addresses.data(), nullptr, status.data(), 0) != 0)
    return found;
  for (const int node : status) ++found[node];
  for (auto& [node, count] : found) count = count * small_page() * pages / addresses.size();
  return found;
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

}  // namespace gable::bench
