#pragma once

// Set-associative caches with LRU replacement, for the simulated machine. A line is identified by its number,
// the physical address >> 6. The ways of a set are ordered by use, most recent first.

#include <bit>
#include <cstdint>
#include <vector>

namespace gable::kmaf {

/// MESI without I: a missing line is invalid.
enum class LineState : std::uint64_t { shared = 1, exclusive = 2, modified = 3 };

struct CacheShape {
  std::uint64_t sets = 0;  ///< a power of two
  std::uint64_t ways = 0;

  /// A cache of `bytes` with 64-byte lines and the largest number of sets (a power of two) that leaves at
  /// least `least_ways` ways. Topologies give sizes but no associativities. The result is 8-way for L1 and
  /// L2, and 18-way for the X7550's L3.
  static CacheShape of(std::uint64_t bytes, std::uint64_t least_ways) {
    const std::uint64_t lines = bytes / 64;
    const std::uint64_t sets = lines <= least_ways ? 1 : std::bit_floor(lines / least_ways);
    return {sets, lines / sets};
  }
};

/// Tags with states, and for each tag one word that the cache does not interpret.
class Cache {
 public:
  struct Entry {
    std::uint64_t tag = 0;   // line << 2 | state; 0: empty
    std::uint64_t word = 0;  // data of the cache's owner for the line

    std::uint64_t line() const { return tag >> 2; }
    LineState state() const { return static_cast<LineState>(tag & 3); }
    void set_state(LineState state) { tag = (tag & ~std::uint64_t{3}) | static_cast<std::uint64_t>(state); }
    bool empty() const { return tag == 0; }
  };

  explicit Cache(const CacheShape& shape)
      : mask_(shape.sets - 1), ways_(shape.ways), entries_(shape.sets * shape.ways) {}

  /// The entry of the line, without marking it as used; null if missing.
  Entry* peek(std::uint64_t line) {
    Entry* const set = set_of(line);
    for (std::uint64_t way = 0; way < ways_; ++way) {
      if (set[way].tag >> 2 == line && !set[way].empty()) return &set[way];
    }
    return nullptr;
  }

  /// The entry of the line, which becomes the most recent of its set; null if missing.
  Entry* use(std::uint64_t line) {
    Entry* const found = peek(line);
    return found == nullptr ? nullptr : to_front(set_of(line), found);
  }

  /// Inserts a missing line at the front of its set; `evicted` receives the removed entry, or an empty one.
  Entry* insert(std::uint64_t line, LineState state, Entry& evicted) {
    Entry* const set = set_of(line);
    Entry* place = set + ways_ - 1;
    for (std::uint64_t way = 0; way < ways_; ++way) {
      if (set[way].empty()) {
        place = set + way;
        break;
      }
    }
    evicted = *place;
    *place = {line << 2 | static_cast<std::uint64_t>(state), 0};
    return to_front(set, place);
  }

  void erase(Entry* entry) { *entry = {}; }

  /// Every entry, for tests.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  Entry* set_of(std::uint64_t line) { return &entries_[(line & mask_) * ways_]; }
  static Entry* to_front(Entry* set, Entry* entry) {
    const Entry used = *entry;
    for (; entry != set; --entry) *entry = *(entry - 1);
    *set = used;
    return set;
  }

  std::uint64_t mask_, ways_;
  std::vector<Entry> entries_;
};

}  // namespace gable::kmaf
