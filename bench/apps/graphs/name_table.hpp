#pragma once

// Numbers for names that are far apart, given while a file is read.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "bench/apps/graphs/edge_list.hpp"

namespace gable::bench {

/// A hash table of names of up to 64 bits. Each gets the next number when it is first seen, so the order
/// depends on the threads. About 25 bytes a name.
class NameTable {
 public:
  NameTable() : shards_(shards) {}

  /// So many names at once are fastest: the table's parts are visited one by one.
  static constexpr std::size_t at_once = 1024;

  /// Puts the numbers of `names` into `numbers`, which is as long. For any number of threads. False when more
  /// names than 32 bits number were seen.
  bool number(std::span<const std::uint64_t> names, std::span<Vertex> numbers);

  std::uint64_t size() const { return next_.load(std::memory_order_relaxed); }
  /// All names by their number.
  Array<std::uint64_t> names() const;
  /// Forgets all, and gives the memory back.
  void clear();

 private:
  static constexpr unsigned shard_bits = 6;
  static constexpr std::size_t shards = std::size_t{1} << shard_bits;

  struct Slot {
    std::uint64_t name;
    std::uint64_t number;  // plus one; 0: nothing is here
  };
  struct alignas(64) Shard {
    std::mutex mutex;
    std::size_t used = 0;
    Array<Slot> memory;
  };

  static std::size_t shard_of(std::uint64_t hash) { return hash >> (64 - shard_bits); }
  static Slot& place(const Array<Slot>& slots, std::uint64_t name, std::uint64_t hash);
  static void grow(Shard& shard);
  Vertex number(Shard& shard, std::uint64_t name, std::uint64_t hash);
  void number_some(std::span<const std::uint64_t> names, std::span<Vertex> numbers);

  std::vector<Shard> shards_;
  std::atomic<std::uint64_t> next_{0};
};

}  // namespace gable::bench
