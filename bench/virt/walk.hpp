#pragma once

// The page-walk ladder: random accesses to one cache line in each 4 KiB of a working set. The lines are the
// same for every page size, so two page sizes differ only in the address translation.

#include <cstdint>
#include <vector>

namespace gable::bench {

/// How the lines of a chase lie.
enum class Lines {
  spread,  ///< one in each 4 KiB
  packed   ///< one in each 128 B: as many lines, in 1/32 of the pages
};

inline constexpr std::uint64_t spread_bytes = 4096, packed_bytes = 128;

/// A cycle through lines of the memory in an order that no prefetcher follows.
class Walk {
 public:
  /// Links `bytes` / 4096 lines, a power of two or 3/2 of one, in the first bytes of `memory`, which has room
  /// for them.
  Walk(std::byte* memory, std::uint64_t bytes, Lines lines);

  std::uint64_t lines() const { return lines_; }

  /// Follows one chain, each access after the one before, or twelve at once, for about `accesses` accesses in
  /// all. Returns the seconds, and sets `accesses` to what was done.
  double follow(bool one_chain, std::uint64_t& accesses);

 private:
  std::uint64_t lines_;
  std::vector<void*> heads_;  ///< spread evenly over the cycle
};

}  // namespace gable::bench
