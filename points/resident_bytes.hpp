#pragma once

// What the kernel tells of a process's resident pages.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/records/mapped_range.hpp"

namespace gable::points {

struct ResidentBytes {
  std::map<int, std::uint64_t> data;  ///< by memory node: its own data, shared memory, files mapped as data
  std::uint64_t code = 0;             ///< of files that are partly mapped as code: the program, its libraries
  std::uint64_t pool = 0;             ///< of the data, on hugetlb pages: they are in no resident size or peak
};

/// The bytes on huge pages, transparent and hugetlb, from /proc/PID/smaps_rollup; nothing if it is not that.
std::optional<std::uint64_t> bytes_on_huge_pages(const std::string& smaps_rollup);

/// Resident bytes of one process from /proc/PID/numa_maps and /proc/PID/maps; nothing of what cannot be read.
ResidentBytes resident_bytes(const std::string& numa_maps, const std::string& maps);

/// The ranges of data from /proc/PID/numa_maps and /proc/PID/maps, with their resident bytes, ascending. Code
/// and what is not in memory is left out. The stack of a thread is what follows an inaccessible page.
std::vector<model::MappedRange> mapped_ranges(const std::string& numa_maps, const std::string& maps);

/// Looks where single pages of the process's large ranges on several nodes lie. Leaves out what the kernel
/// does not tell. Returns false if the process has ended.
bool look_at_pages(int pid, std::vector<model::MappedRange>& ranges);

}  // namespace gable::points
