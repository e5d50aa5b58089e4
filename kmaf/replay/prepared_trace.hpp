#pragma once

// A trace prepared for repeated replay: threads and pages are numbered, accesses are cut into lines, and
// totals of the whole trace are computed for the oracle. The accesses are in a temporary file, not in memory.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kmaf/engine/affinity_matrix.hpp"
#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

/// One access to one line: page number in order of first touch (32 bits), byte in the page (12), thread
/// number (16), write (1).
using Record = std::uint64_t;
inline Record make_record(std::uint64_t page, std::uint64_t offset, std::uint64_t thread, bool write) {
  return page << 32 | offset << 20 | thread << 4 | (write ? 1u : 0u);
}
inline std::uint64_t page_of(Record record) {
  return record >> 32;
}
inline std::uint64_t offset_of(Record record) {
  return record >> 20 & 0xfff;
}
inline int thread_of(Record record) {
  return static_cast<int>(record >> 4 & 0xffff);
}
inline bool is_write(Record record) {
  return (record & 1) != 0;
}

class PreparedTrace {
 public:
  /// Takes accesses from `source`, which calls the given function for each of them. Throws std::system_error
  /// if the temporary file cannot be written ($TMPDIR, or /tmp).
  using Sink = std::function<void(const Access&)>;
  explicit PreparedTrace(const std::function<void(const Sink&)>& source);

  int threads() const { return threads_; }
  std::uint64_t pages() const { return page_numbers_.size(); }
  std::uint64_t records() const { return records_; }  ///< accesses, each to one line
  /// Number of the page in the address space: address >> 12.
  std::uint64_t page_number(std::uint64_t page) const { return page_numbers_[page]; }

  /// Totals of the trace: how often each thread (first) accessed the page.
  const std::vector<std::pair<int, std::uint64_t>>& use_of(std::uint64_t page) const { return use_[page]; }
  /// Totals of the trace: sharing in lines, scaled to the range of the elements.
  const AffinityMatrix& sharing() const { return sharing_; }

  /// Calls `block` with all records in order, many at a time. Several calls may run simultaneously.
  void replay(const std::function<void(const Record*, std::size_t)>& block) const;

 private:
  File file_;
  int threads_ = 0;
  std::uint64_t records_ = 0;
  std::vector<std::uint64_t> page_numbers_;
  std::vector<std::vector<std::pair<int, std::uint64_t>>> use_;
  AffinityMatrix sharing_;
};

}  // namespace gable::kmaf
