#pragma once

// Assigns numbers to sparse names while a file is read.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "bench/apps/graphs/edge_list.hpp"

namespace gable::bench {

/// A hash table of names of up to 64 bits. Each name gets the next number when it first appears, so the order
/// depends on the threads. About 25 bytes per name.
class NameTable {
 public:
  NameTable() : shards_(shards) {}

  /// The best number of names per call: the parts of the table are visited one by one.
  static constexpr std::size_t at_once = 1024;

  /// Writes the numbers of `names` into `numbers`, which has the same length. May be called by any number of
  /// threads. False if there are more names than 32 bits can number.
  bool number(std::span<const std::uint64_t> names, std::span<Vertex> numbers);

  std::uint64_t size() const { return next_.load(std::memory_order_relaxed); }
  /// All names by their number.
  Array<std::uint64_t> names() const;
  /// Clears the table and frees its memory.
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

struct EdgeText;

/// Renames the edges so that the occurring vertices have the numbers 0 to n - 1 in the order of their names;
/// returns the names. Consumes `text.table`. Throws Error::format, which names `path`, if there are more
/// vertices than 32 bits can number.
Array<std::uint64_t> number_vertices(EdgeText& text, const std::string& path, Crew& crew);

}  // namespace gable::bench
