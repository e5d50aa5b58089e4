#pragma once

// The two ways to map a file. Both are here so that both can be tested wherever libpmem is installed.

#include <memory>
#include <string>

#include "bench/tiers/tier.hpp"

namespace gable::bench {

/// A new file in the folder `path`, or with that name, mapped by pmem_map_file; nullptr if Gable was built
/// without libpmem. Throws Error::unavailable.
std::unique_ptr<Region> map_with_libpmem(const std::string& path, std::size_t bytes);

/// The same by mmap, with MAP_SYNC if the file is on DAX. Throws Error::unavailable.
std::unique_ptr<Region> map_plain(const std::string& path, std::size_t bytes);

}  // namespace gable::bench
