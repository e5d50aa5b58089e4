#pragma once

// The sources of memory. To add a mechanism, write its file and its line in tier.cpp.

#include <memory>
#include <optional>
#include <string>

#include "bench/tiers/tier.hpp"

namespace gable::bench {

/// Each returns nothing for a name of another mechanism, and throws Error::unavailable if its own is not
/// available.
using FindTier = std::optional<Tier> (*)(const std::string& name, const machines::Machine& machine,
                                         int cluster);

std::optional<Tier> find_node_tier(const std::string& name, const machines::Machine& machine, int cluster);
std::optional<Tier> find_file_tier(const std::string& name, const machines::Machine& machine, int cluster);
std::optional<Tier> find_memkind_tier(const std::string& name, const machines::Machine& machine, int cluster);

/// The two ways to map a file. Both are here so that both can be tested wherever libpmem is installed. A new
/// file in the folder `path`, or with that name, mapped by pmem_map_file; nullptr if Gable was built without
/// libpmem. Throws Error::unavailable.
std::unique_ptr<Region> map_with_libpmem(const std::string& path, std::size_t bytes);
/// The same by mmap, with MAP_SYNC if the file is on DAX. Throws Error::unavailable.
std::unique_ptr<Region> map_plain(const std::string& path, std::size_t bytes);

}  // namespace gable::bench
