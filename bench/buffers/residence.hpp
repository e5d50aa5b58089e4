#pragma once

// The location of pages as reported by the kernel.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <vector>

namespace gable::bench {

/// A sample of `pages` pages: all of them, or at most `most`, one per stride. The position within the stride
/// changes, so that pages which alternate between nodes are found on all of them.
std::vector<std::size_t> representative_pages(std::size_t pages, std::size_t most);

/// Bytes on each node of `pages` pages from `begin` on, by a sample of at most `most`. A negative node means
/// that the page is missing. Empty if there are no pages, or move_pages is refused.
std::map<int, std::uint64_t> sampled_residence(std::byte* begin, std::size_t pages, std::size_t page_bytes,
                                               std::size_t most);

/// Converts page counts by node to shares of `bytes`.
std::map<int, std::uint64_t> in_bytes(std::map<int, std::uint64_t> pages, std::uint64_t bytes);

/// Pages on each node of the mapping that contains `address`, from /proc/PID/numa_maps; empty if it is not
/// listed.
std::map<int, std::uint64_t> mapped_pages(std::istream& numa_maps, std::uintptr_t address);

}  // namespace gable::bench
