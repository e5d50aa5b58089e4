#pragma once

// A trace prepared for repeated replay: threads, pages and objects are numbered, accesses are cut into lines,
// and its steady part is found. Totals of that part are computed for the oracle, and the visits to its pages
// for the samplers. The records are in a temporary file, not in memory.

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kmaf/engine/affinity_matrix.hpp"
#include "kmaf/replay/trace/parallel_order.hpp"
#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

/// One access to one line, or an event. Accesses that a thread repeats within its turn, to a line that it
/// used last among those of the same cache set, hit the L1 and change nothing: they are counted with the
/// record before them.
struct Record {
  std::uint32_t page = 0;          ///< in order of first touch; of an event that has one: the object
  std::uint32_t instructions = 0;  ///< of the thread since its previous record, with those of the repeats
  std::uint16_t thread = 0;        ///< in order of first appearance
  std::uint16_t repeats = 0;
  std::uint8_t line = 0;  ///< of the page
  bool write = false;
  Event event = Event::access;

  bool operator==(const Record&) const = default;
};
static_assert(sizeof(Record) == 16);

/// A thread's accesses to 1 KiB of a page, without another thread's or part's in between.
struct Visit {
  std::uint32_t end = 0;  ///< time of its last access, from 0
  std::uint16_t thread = 0;
  std::uint8_t line = 0;  ///< of the first access
  bool write = false;
};

class PreparedTrace {
 public:
  /// Takes the accesses and events that `order` gives with these lots. `iterations`: whether the steady part
  /// will be looped: 1: no, it is then everything; more: yes; 0: if the trace has events of synchronization,
  /// so that it is of a program. `watch`, if set, is called now and then; an exception from it is passed on.
  /// Throws std::system_error if the temporary file cannot be written ($TMPDIR, or /tmp).
  PreparedTrace(ParallelOrder& order, int iterations, std::uint64_t lots = 0,
                const std::function<void()>& watch = {});

  int threads() const { return threads_; }
  std::uint64_t pages() const { return page_numbers_.size(); }
  std::uint64_t objects() const { return objects_; }                  ///< that threads wait for
  std::uint64_t accesses() const { return accesses_; }                ///< each to one line
  std::uint64_t steady_accesses() const { return steady_accesses_; }  ///< of them in the steady part
  /// That an access to one line requests, mean over the trace.
  double bytes_of_access() const { return static_cast<double>(bytes_) / static_cast<double>(accesses_); }
  std::uint64_t steady_records() const { return end_ - begin_; }
  bool is_looped() const { return looped_; }
  /// Number of the page in the address space: address >> 12.
  std::uint64_t page_number(std::uint64_t page) const { return page_numbers_[page]; }

  /// Totals of the steady part: how often each thread accessed the page.
  const std::vector<std::pair<int, std::uint64_t>>& use_of(std::uint64_t page) const { return use_[page]; }
  /// Totals of the steady part: instructions of each thread.
  const std::vector<double>& work() const { return work_; }
  /// Totals of the steady part: sharing in lines, scaled to the range of the elements.
  const AffinityMatrix& sharing() const { return sharing_; }
  /// The same for lines that threads hand over to each other because one writes.
  const AffinityMatrix& transfers() const { return transfers_; }

  /// The records before the steady part, or in it.
  enum class Part { start, steady };
  /// Calls `block` with all records of a part in order, many at a time. Several calls may run simultaneously.
  void replay(Part part, const std::function<void(const Record*, std::size_t)>& block) const;

  /// The visit that meets a page hidden at a random moment (`chance` from 0 to below 1) of the steady part,
  /// or of a part of it: moments from `from` to before `to`. Empty: nobody visits it in that time.
  std::optional<Visit> visit(std::uint64_t page, double chance, std::uint32_t from, std::uint32_t to) const;
  /// The moments of the steady part: records of `moments()` pieces of equal length begin at moment(i).
  static constexpr int pieces = 64;
  std::uint32_t moment(int piece) const { return moments_[static_cast<std::size_t>(piece)]; }

 private:
  class Writer;
  void count_uses();
  void list_visits();

  File file_;
  bool looped_ = false;
  int threads_ = 0;
  std::uint64_t accesses_ = 0, bytes_ = 0, steady_accesses_ = 0, objects_ = 0, begin_ = 0, end_ = 0;
  std::vector<std::uint64_t> page_numbers_;
  std::vector<std::vector<std::pair<int, std::uint64_t>>> use_;
  std::vector<double> work_;
  AffinityMatrix sharing_, transfers_;
  std::vector<std::uint64_t> first_visit_;  // of each page in visits_, and the end
  std::vector<Visit> visits_;               // by page, then time
  std::vector<std::uint32_t> moments_;
};

}  // namespace gable::kmaf
