#pragma once

// The two ways to map a file, so that both can be tested wherever libpmem is there.

#include <memory>
#include <string>

#include "bench/tiers/tier.hpp"

namespace gable::bench {

/// A new file in the folder `path`, or of that name, mapped by pmem_map_file; nullptr where Gable was built
/// without libpmem. Throws TierError.
std::unique_ptr<Region> map_with_libpmem(const std::string& path, std::size_t bytes);

/// The same by mmap, with MAP_SYNC where the file is on DAX. Throws TierError.
std::unique_ptr<Region> map_plain(const std::string& path, std::size_t bytes);

}  // namespace gable::bench
