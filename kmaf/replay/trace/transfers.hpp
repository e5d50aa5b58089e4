#pragma once

// Transfers between threads: lines that one thread wrote and another reads or writes.

#include <bit>
#include <cstdint>
#include <vector>

#include "kmaf/traces/metrics.hpp"

namespace gable::kmaf {

class Transfers {
 public:
  Transfers(int threads, std::uint64_t pages)
      : words_((static_cast<std::size_t>(threads) + 63) / 64),
        pages_(pages),
        counts_(static_cast<std::size_t>(threads), std::vector<double>(static_cast<std::size_t>(threads))) {}

  void access(std::uint16_t thread, std::uint64_t page, std::uint8_t line, bool write) {
    Page& at = pages_[page];
    if (at.holders.empty()) {
      at.holders.resize(words_ * 64);
      at.writer.assign(64, no_thread);
    }
    std::uint64_t* const holders = &at.holders[line * words_];
    std::uint64_t& mine = holders[thread / 64];
    const std::uint64_t bit = std::uint64_t{1} << thread % 64;
    std::uint16_t& writer = at.writer[line];
    if ((mine & bit) == 0 && writer != no_thread) count(thread, writer);
    if (write) {
      for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t others = holders[word];
        if (word == thread / 64u) others &= ~bit;
        for (; others != 0; others &= others - 1) {
          const auto other =
              static_cast<std::uint16_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(others)));
          if (other != writer || (mine & bit) != 0) count(thread, other);
        }
        holders[word] = 0;
      }
      writer = thread;
    }
    mine |= bit;
  }

  /// Symmetric, with zeros on the diagonal.
  const SharingMatrix& matrix() const { return counts_; }

 private:
  static constexpr std::uint16_t no_thread = 0xffff;
  struct Page {
    std::vector<std::uint64_t> holders;  // of each line: a bit for each thread that has a valid copy
    std::vector<std::uint16_t> writer;   // of each line: who wrote it last
  };

  void count(std::uint16_t one, std::uint16_t other) {
    counts_[one][other] += 1;
    counts_[other][one] += 1;
  }

  std::size_t words_;
  std::vector<Page> pages_;
  SharingMatrix counts_;
};

}  // namespace gable::kmaf
