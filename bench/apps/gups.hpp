#pragma once

// RandomAccess of HPC Challenge (Luszczek and others, 2006): updates of random words of a table, four times
// as many as it has words, of which at most 1024 may be outstanding at a time, and a check by which at most 1
// % of the words may be wrong. By its rules the table is the largest power of two within half of the memory,
// and where the updates would take longer than 60 s, as one percent of them tells, there are fewer.

#include <atomic>
#include <cstdint>
#include <span>

namespace gable::bench {

/// Number `index` of the stream of random numbers that the rules prescribe: x(k+1) = 2 x(k), and the
/// polynomial x^63 + x^2 + x + 1 where the highest bit falls out; x(0) = 1.
std::uint64_t random_access_number(std::int64_t index);

/// The table by HPC Challenge's rules, in bytes, on a machine with so much memory.
std::uint64_t random_access_bytes(std::uint64_t memory_bytes);

struct GupsResult {
  double seconds = 0;       ///< of the updates
  double updates = 0;       ///< 4 * words, or fewer within the time
  std::uint64_t wrong = 0;  ///< words that are wrong after the check has undone every update
  bool verified(std::uint64_t words) const { return wrong * 100 <= words; }
};

/// Seconds for the updates by HPC Challenge's rules.
inline constexpr double random_access_seconds = 60;

/// Fills the table, whose number of words is a power of two (at least 128), updates it for about
/// `most_seconds` at most, and checks it. Ends early at `stop`, with 0 updates.
GupsResult random_access(std::span<std::uint64_t> table, const std::atomic<bool>& stop,
                         double most_seconds = random_access_seconds);

}  // namespace gable::bench
