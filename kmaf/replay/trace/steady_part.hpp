#pragma once

// Finds the steady part of a trace: without the start-up, in which pages are touched for the first time and
// often one thread runs alone, and without what one thread does alone at the end.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace gable::kmaf {

class SteadyPart {
 public:
  /// An access; it belongs to record `record` or follows it. `is_new`: the first to its page.
  void access(std::uint64_t record, int thread, bool is_new) {
    if (accesses_ % block_accesses == 0) blocks_.push_back({record, 0, {}});
    ++accesses_;
    Block& block = blocks_.back();
    block.new_pages += is_new ? 1 : 0;
    new_pages_ += is_new ? 1 : 0;
    block.of_thread.resize(std::max(block.of_thread.size(), static_cast<std::size_t>(thread) + 1));
    ++block.of_thread[static_cast<std::size_t>(thread)];
  }
  /// All threads met; `record` is the first after that.
  void meeting(std::uint64_t record) { meetings_.push_back(record); }

  /// The first record of the steady part, and the one after its last; `records` is the number of all.
  std::pair<std::uint64_t, std::uint64_t> steady(std::uint64_t records) const {
    double most = 0;
    for (const Block& block : blocks_) most = std::max(most, block.threads());
    const auto parallel = [&](const Block& block) { return 4 * block.threads() >= most; };
    const auto first = std::ranges::find_if(blocks_, parallel);
    if (first == blocks_.end()) return {0, records};
    const auto last = std::find_if(blocks_.rbegin(), blocks_.rend(), parallel).base();
    const std::uint64_t end = last == blocks_.end() ? records : last->record;
    auto begin = first;
    for (const double new_pages : {0.02, 0.1}) {
      std::uint64_t after = new_pages_;
      auto block = blocks_.begin();
      for (; block != last; after -= (block++)->new_pages) {
        if (static_cast<double>(after) <= new_pages * static_cast<double>(new_pages_) && parallel(*block))
          break;
      }
      // At least an eighth of the trace must remain.
      if (8 * (last - block) < last - blocks_.begin()) continue;
      begin = block;
      break;
    }
    return between_meetings(begin->record, end);
  }

 private:
  static constexpr std::uint64_t block_accesses = 1 << 15;
  struct Block {
    std::uint64_t record = 0;
    std::uint64_t new_pages = 0;
    std::vector<std::uint32_t> of_thread;  // accesses

    // How many threads run: a thread with few accesses counts little.
    double threads() const {
      double sum = 0, squares = 0;
      for (const double accesses : of_thread) {
        sum += accesses;
        squares += accesses * accesses;
      }
      return squares > 0 ? sum * sum / squares : 0;
    }
  };

  // Goes from a meeting to another, so that a loop has no seam; the part stays the same if there are none
  // nearby.
  std::pair<std::uint64_t, std::uint64_t> between_meetings(std::uint64_t begin, std::uint64_t end) const {
    const auto from = std::lower_bound(meetings_.begin(), meetings_.end(), begin);
    const auto to = std::upper_bound(meetings_.begin(), meetings_.end(), end);
    if (from == meetings_.end() || to == meetings_.begin()) return {begin, end};
    const std::uint64_t first = *from, last = *(to - 1);
    return first < last && 2 * (last - first) >= end - begin ? std::pair(first, last) : std::pair(begin, end);
  }

  std::uint64_t accesses_ = 0, new_pages_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> meetings_;
};

}  // namespace gable::kmaf
