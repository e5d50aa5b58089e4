#pragma once

// What it costs to change page tables and address spaces. With shadow paging each of these causes an exit
// from the guest; with nested paging none does, once the host has backed the memory.

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/domain/virt_pages.hpp"

namespace gable::bench {

struct MappingCost {
  std::vector<double> seconds;  ///< of each repetition
  std::vector<double> calls;    ///< in each repetition
};

/// Repeats one of model::mapping `repetitions` times on this thread's CPU, with `bytes` of memory in `pages`:
/// the first touch of a page; mmap and munmap of a touched page; mprotect of a page to read-only and back,
/// with a write; fork of a process with this memory, and its end; a switch between two processes on one CPU.
/// Throws Error::unavailable; std::system_error where a call fails.
MappingCost mapping_cost(std::string_view what, model::VirtPages pages, std::uint64_t bytes, int repetitions);

}  // namespace gable::bench
