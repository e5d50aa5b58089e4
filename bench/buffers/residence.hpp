#pragma once

// Where pages are, as far as the kernel tells.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <vector>

namespace gable::bench {

/// Which of `pages` pages stand for all of them: every one, or at most `most`, one of each stride. The place
/// in the stride changes, so that pages which alternate between nodes are found on all of them.
std::vector<std::size_t> representative_pages(std::size_t pages, std::size_t most);

/// Pages on each node of the mapping that `address` lies in, from /proc/PID/numa_maps; empty where it is not
/// there.
std::map<int, std::uint64_t> mapped_pages(std::istream& numa_maps, std::uintptr_t address);

}  // namespace gable::bench
