#pragma once

// The lines that threads exchange, in pages of their own on a given memory node.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

#include "bench/buffers/buffer.hpp"

namespace gable::bench {

class C2cLines {
 public:
  /// Maps and touches the pages. `node`: -1 for any. Throws Error::unavailable.
  explicit C2cLines(int node);

  /// Sets all words to 0. No thread may use them meanwhile.
  void reset();

  /// Words in lines of their own, apart from the lines that are read.
  std::atomic<std::uint64_t>& word() const { return at(0); }     ///< what is contended for, or handed over
  std::atomic<std::uint64_t>& turn() const { return at(1); }     ///< whose turn it is
  std::atomic<std::uint64_t>& guarded() const { return at(2); }  ///< what the lock guards

  /// Lines that are linked into one cycle, in an order and at distances that no prefetcher can follow. They
  /// fit into any first cache and spread evenly over its sets. The pointers stay; stores change other words.
  static constexpr std::uint64_t count = 256;
  void* first() const { return first_; }
  void write_all(std::uint64_t value) const;
  void read_all() const;
  void drop_from_caches() const;

  std::map<int, std::uint64_t> residence() const;
  /// Why the pages are not where they were requested; empty if they are. `nodes`: of the machine.
  model::Note misplaced(const std::map<int, std::uint64_t>& found, std::size_t nodes) const;
  const model::Notes& notes() const { return notes_; }

 private:
  std::atomic<std::uint64_t>& at(std::size_t line) const;
  std::byte* line(std::uint64_t number) const;

  int node_;
  std::size_t line_bytes_, words_bytes_;
  model::Notes notes_;  ///< declared before the buffer, which adds to them
  Buffer buffer_;
  void* first_ = nullptr;
};

}  // namespace gable::bench
