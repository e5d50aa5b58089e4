#pragma once

// What it costs to change page tables and address spaces. With shadow paging each of these causes an exit
// from the guest; with nested paging none does, once the host has backed the memory.

#include <cstdint>
#include <string>
#include <vector>

#include "model/domain/virt_pages.hpp"

namespace gable::bench {

/// What can be measured: "first touch" (a page), "mmap and munmap" (of a touched page), "mprotect" (a page
/// to read-only and back, with a write), "fork" (of a process with this memory, and its end), "context
/// switch" (between two processes on one CPU).
std::vector<std::string> mapping_costs();

struct MappingCost {
  std::vector<double> seconds;  ///< of each repetition
  std::vector<double> calls;    ///< in each repetition
};

/// Repeats one of these `repetitions` times on this thread's CPU, with `bytes` of memory in `pages` ("4k",
/// "thp"; the others only for "first touch"). Throws Error::unavailable; std::system_error where a call
/// fails.
MappingCost mapping_cost(const std::string& what, model::VirtPages pages, std::uint64_t bytes,
                         int repetitions);

}  // namespace gable::bench
