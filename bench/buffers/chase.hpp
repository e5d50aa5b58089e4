#pragma once

// The linked list that a latency measurement follows.

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "kernels/kernel.hpp"

namespace gable::bench {

/// Bytes of the largest cache line that Linux (sysfs below `root`) or the CPU reports, a power of two:
/// accesses this far apart are in different lines of every cache. 64 where neither reports one.
std::size_t line_bytes(const std::filesystem::path& root = "/");

/// The number of cache lines of `line` bytes in a chase through `bytes` (at least four): the largest 2^k or 3
/// * 2^k that fits.
std::uint64_t chase_lines(std::size_t bytes, std::size_t line = line_bytes());

/// A linear congruential cycle through lines: the successor of line i is (i * multiplier + increment) %
/// lines.
struct ChaseOrder {
  std::uint64_t multiplier = 0, increment = 0;
};

/// The order has full period for 2^k or 3 * 2^k lines.
ChaseOrder chase_order(std::uint64_t lines);

/// Links the first chase_lines(bytes) cache lines of `memory` into one cycle through all of them, in an order
/// that no prefetcher can follow, and returns their number. The order is that of a linear congruential
/// generator with full period (Knuth, TAOCP 2, theorem 3.2.1.2A), so the list is written from front to back.
/// `memory` is aligned to a line. A walk may start at any line. No cache holds the lines then: a walk through
/// memory would hit those that were written last.
std::uint64_t build_chase(std::byte* memory, std::size_t bytes, std::size_t line = line_bytes());

/// The part of it that thread `part` of `parts` writes; together they write the whole.
void build_chase(std::byte* memory, std::size_t bytes, std::size_t part, std::size_t parts,
                 std::size_t line = line_bytes());

/// Lets a chase kernel start at the first of `lines` linked lines.
void start_chase(const kernels::Kernel& kernel, std::byte* memory, std::uint64_t lines,
                 kernels::Arguments& arguments);

}  // namespace gable::bench
