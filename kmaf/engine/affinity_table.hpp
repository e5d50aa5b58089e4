#pragma once

// The affinity table (kMAF paper, section 3.2). For each page it holds how often each node accessed the page
// (the NUMA vector) and which threads last accessed each of its sub-blocks (the sub-block vector).

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kmaf/engine/config.hpp"

namespace gable::kmaf {

/// A page of shared memory is identified by its object, because its address differs between processes.
struct Page {
  std::uint64_t object = 0;  ///< of Objects: an address space, or a file that several processes map
  std::uint64_t index = 0;   ///< offset in the object >> log2(page size): equation 5

  bool operator==(const Page&) const = default;
};

struct PageHash {
  std::size_t operator()(const Page& page) const {
    std::uint64_t mixed = (page.index + page.object * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
  }
};

/// Bytes of one entry: equation 7. A counter takes the smallest number of whole bytes (1, 2 or 4) for its
/// bits.
std::size_t entry_bytes(const Config& config, int nodes);

class AffinityTable {
 public:
  using Thread = std::uint16_t;  ///< 16 bits, as in table 2
  static constexpr Thread no_thread = 0xffff;

  /// Throws std::invalid_argument, which names the field of `config` that is out of range.
  AffinityTable(const Config& config, int nodes);

  /// The index of the page's entry, which is created if needed. Entries keep their index until `drop`.
  std::size_t entry(const Page& page);
  /// The index of the page's entry, if it has one.
  std::optional<std::size_t> find(const Page& page) const;

  /// Counts an access to the page from `node`; returns false if the counter is saturated.
  bool count(std::size_t entry, int node);
  std::uint32_t counter(std::size_t entry, int node) const;
  /// Halves all counters of the page, which happens when it migrates (section 3.3).
  void halve(std::size_t entry);
  void halve_all();
  /// The destination of the page by equation 6: the node with the most accesses if these exceed 2 * (second
  /// most) + 1, otherwise -1.
  int exclusive_node(std::size_t entry) const;

  /// Records that `thread` accessed byte `offset` of the page: it moves to the MRU position of its sub-block.
  void touch(std::size_t entry, unsigned offset, Thread thread);
  /// The thread at `position` (0: MRU) of the sub-block that contains byte `offset`; no_thread if there is
  /// none.
  Thread sharer(std::size_t entry, unsigned offset, int position) const;
  int sharers() const { return sharers_; }
  /// Removes every thread whose flag is set, so that its number can be reused.
  void forget(const std::vector<bool>& dead);

  /// Drops an object whose memory was freed. Entries are removed when as many are dropped as remain.
  void drop(std::uint64_t object);

  std::size_t entries() const { return home_.size(); }
  /// The node where the page lies; -1: unknown. It is not part of equation 7 because a kernel would look into
  /// its page frames.
  int home(std::size_t entry) const { return home_[entry]; }
  void set_home(std::size_t entry, int node) { home_[entry] = static_cast<std::int16_t>(node); }
  const Page& page(std::size_t entry) const { return pages_[entry]; }

  /// Bytes of counters and thread ids: equation 8.
  std::size_t bytes() const { return vectors_.size(); }
  /// Additional bytes that a kernel indexing by page frame does not need: names, homes, index.
  std::size_t index_bytes() const;

 private:
  void take_out_dropped();
  std::size_t sub_block_at(std::size_t entry, unsigned offset) const;

  int nodes_, sharers_, sub_block_shift_;
  unsigned offset_mask_;
  std::size_t counter_bytes_, entry_bytes_;
  std::uint32_t counter_most_;
  std::vector<std::uint8_t> vectors_;  // per entry: the counters, then the thread ids
  std::vector<std::int16_t> home_;
  std::vector<Page> pages_;
  std::unordered_map<Page, std::size_t, PageHash> index_;
  std::unordered_map<std::uint64_t, std::size_t>
      of_object_;                              // entries of each object, except of dropped ones
  std::unordered_set<std::uint64_t> dropped_;  // objects whose entries are still there
  std::size_t entries_dropped_ = 0;
};

}  // namespace gable::kmaf
