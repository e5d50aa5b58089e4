#include "bench/apps/gups.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "base/clocks.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t polynomial = 7;
constexpr std::size_t streams = 128;  // parts of the one stream that advance beside each other

constexpr std::uint64_t next_number(std::uint64_t x) {
  return (x << 1) ^ (polynomial & (0 - (x >> 63)));
}

using Numbers = std::array<std::uint64_t, streams>;

// Each stream's first number: its part of the updates is consecutive.
Numbers first_numbers(std::uint64_t updates) {
  Numbers numbers;
  for (std::size_t j = 0; j < streams; ++j)
    numbers[j] = random_access_number(static_cast<std::int64_t>(updates / streams * j));
  return numbers;
}

// One number of each stream: well within the 1024 that the rules allow, so that the table's words are fetched
// while the numbers before them are used.
bool update(std::span<std::uint64_t> table, std::uint64_t updates, const std::atomic<bool>& stop) {
  const std::uint64_t mask = table.size() - 1;
  Numbers numbers = first_numbers(updates);
  std::uint64_t* const words = table.data();
  for (std::uint64_t i = 0; i < updates / streams; ++i) {
    for (std::uint64_t& each : numbers) {
      each = next_number(each);
      __builtin_prefetch(&words[each & mask], 1);
    }
    for (const std::uint64_t each : numbers) words[each & mask] ^= each;
    if (i % 4096 == 0 && stop.load(std::memory_order_relaxed)) return false;
  }
  return true;
}

// The number of updates, a multiple of `streams`, that the rules prescribe or that the time allows.
std::uint64_t updates_within(double most_seconds, std::span<std::uint64_t> table,
                             const std::atomic<bool>& stop) {
  const std::uint64_t all = 4 * table.size();
  const std::uint64_t sample = all / 100 / streams * streams;
  if (sample == 0) return all;
  const double begin = monotonic_seconds();
  if (!update(table, sample, stop)) return 0;
  const double allowed = static_cast<double>(sample) * most_seconds / (monotonic_seconds() - begin);
  if (allowed >= static_cast<double>(all)) return all;
  return std::max(static_cast<std::uint64_t>(allowed) / streams * streams, std::uint64_t{streams});
}

// Makes the same updates again, in the order of the one stream, so that they undo themselves.
bool undo(std::span<std::uint64_t> table, std::uint64_t updates, const std::atomic<bool>& stop) {
  std::uint64_t x = 1;
  Numbers next;
  for (std::uint64_t i = 0; i < updates / next.size(); ++i) {
    for (std::uint64_t& each : next) {
      each = x = next_number(x);
      __builtin_prefetch(&table[x & (table.size() - 1)], 1);
    }
    for (const std::uint64_t each : next) table[each & (table.size() - 1)] ^= each;
    if (i % 4096 == 0 && stop.load(std::memory_order_relaxed)) return false;
  }
  return true;
}

}  // namespace

std::uint64_t random_access_number(std::int64_t index) {
  constexpr std::int64_t period = 1317624576693539401;
  index %= period;
  if (index == 0) return 1;
  std::array<std::uint64_t, 64> squares;  // x(2^i)
  std::uint64_t x = 1;
  for (std::uint64_t& square : squares) {
    square = x;
    x = next_number(next_number(x));
  }
  int bit = 62;
  while ((index >> bit & 1) == 0) --bit;
  x = 2;
  while (bit > 0) {
    std::uint64_t squared = 0;
    for (std::size_t j = 0; j < squares.size(); ++j) {
      if (x >> j & 1) squared ^= squares[j];
    }
    x = squared;
    if (index >> --bit & 1) x = next_number(x);
  }
  return x;
}

std::uint64_t random_access_bytes(std::uint64_t memory_bytes) {
  return std::bit_floor(memory_bytes / 2);
}

GupsResult random_access(std::span<std::uint64_t> table, const std::atomic<bool>& stop, double most_seconds) {
  GupsResult result;
  const std::uint64_t updates = updates_within(most_seconds, table, stop);  // whatever the table has now
  std::iota(table.begin(), table.end(), std::uint64_t{0});
  const double begin = monotonic_seconds();
  if (!update(table, updates, stop)) return result;
  result.seconds = monotonic_seconds() - begin;
  if (!undo(table, updates, stop)) return {};
  for (std::size_t i = 0; i < table.size(); ++i) result.wrong += table[i] != i ? 1 : 0;
  result.updates = static_cast<double>(updates);
  return result;
}

}  // namespace gable::bench
