#pragma once

// What a process has in its address space, and where the pages of each part lie.

#include <string>
#include <vector>

#include "model/records/mapped_range.hpp"

namespace gable::points {

/// The ranges of data from /proc/PID/numa_maps and /proc/PID/maps, with their resident bytes, ascending. Code
/// and what is not in memory is left out. The stack of a thread is what follows an inaccessible page.
std::vector<model::MappedRange> mapped_ranges(const std::string& numa_maps, const std::string& maps);

/// Looks where single pages of the process's large ranges on several nodes lie. Leaves out what the kernel
/// does not tell. Returns false if the process has ended.
bool look_at_pages(int pid, std::vector<model::MappedRange>& ranges);

}  // namespace gable::points
