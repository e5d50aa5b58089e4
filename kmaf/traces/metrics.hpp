#pragma once

// The affinity of a traced program: how much its threads share, and how exclusively its pages are used (kMAF
// paper, section 2.2, equations 1 to 4).

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

/// T x T, row by row.
using SharingMatrix = std::vector<std::vector<double>>;

/// Equation 1: the mean squared difference between each element and the mean of its row.
double heterogeneity(const SharingMatrix& matrix);
/// Equation 2: the mean of all elements.
double sharing_amount(const SharingMatrix& matrix);
/// Equation 3 for the accesses of each node to one page; 0 if there are none.
double page_exclusivity(const std::vector<std::uint64_t>& accesses_of_node);

/// Numbers threads in order of their first appearance. There are tables of pairs of threads, so their number
/// is limited.
class ThreadNumbers {
 public:
  static constexpr int most = 4096;

  /// Throws Error::format for the first thread beyond `most`.
  int of(std::uint32_t tid) {
    if (tid == last_tid_ && last_ >= 0) return last_;
    last_ = numbers_.try_emplace(tid, static_cast<int>(numbers_.size())).first->second;
    if (last_ >= most) throw Error::usage("more than " + std::to_string(most) + " threads");
    last_tid_ = tid;
    return last_;
  }
  int size() const { return static_cast<int>(numbers_.size()); }

 private:
  std::unordered_map<std::uint32_t, int> numbers_;
  std::uint32_t last_tid_ = 0;
  int last_ = -1;
};

/// Sharing between threads in cache lines of 64 bytes, counted access by access.
class Sharing {
 public:
  static constexpr int line_shift = 6;

  Sharing() = default;
  Sharing(const Sharing&) = delete;  // it caches the position of the last page
  Sharing(Sharing&&) = default;

  /// Records that `thread` accesses the line `address >> line_shift`.
  void access(int thread, std::uint64_t line);

  /// M[i][j]: accesses by i to lines that j had accessed before, plus accesses by j to lines that i had
  /// accessed before. Symmetric, with zeros on the diagonal; `threads` x `threads`.
  SharingMatrix matrix(int threads) const;

 private:
  // Which threads accessed each of the 64 lines of a page: `words` x 64 threads a line.
  struct Page {
    std::size_t words = 0;
    std::vector<std::uint64_t> threads;
  };

  std::unordered_map<std::uint64_t, Page> pages_;
  std::vector<std::vector<std::uint64_t>> counts_;  // [i][j]: accesses by i to lines that j had
  std::uint64_t last_number_ = 0;
  Page* last_ = nullptr;
};

/// Pages whose exclusivity rounds to 0, 10, ..., 100 %, and the accesses to them (figure 2).
struct PageGroup {
  std::uint64_t pages = 0, accesses = 0;
};

/// How exclusively nodes use the pages of one size.
struct PageFigures {
  double exclusivity = 0;  ///< equation 4
  std::array<PageGroup, 11> groups{};
};

/// All metrics of a program.
struct AffinityFigures {
  int threads = 0;
  std::uint64_t accesses = 0;
  SharingMatrix matrix;
  PageFigures small, large;  ///< pages of 4 KiB and 2 MiB
  /// Standard errors, because only a part was followed: of elements of the matrix, relative; of exclusivity.
  double matrix_error = 0, exclusivity_error = 0;
};

/// The pages of one size.
class PageUse {
 public:
  explicit PageUse(int page_shift, int nodes) : shift_(page_shift), nodes_(nodes) {}

  /// Records that a thread on `node` accesses the pages of bytes `from` to `to`, both included.
  void access(int node, std::uint64_t from, std::uint64_t to);

  /// Records accesses of a thread on `node` to a page, by its number.
  void add(std::uint64_t page, int node, std::uint64_t accesses);

  PageFigures figures() const;

 private:
  int shift_, nodes_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> accesses_;
};

/// Collects all metrics of one trace.
class Metrics {
 public:
  /// `thread_nodes`: the node of each thread, in order of first appearance; may be empty, then only sharing
  /// is counted.
  explicit Metrics(std::vector<int> thread_nodes);

  /// The next access or event; of events only the threads matter.
  void add(const Access& access);

  int threads() const { return numbers_.size(); }
  AffinityFigures figures() const {
    return {threads(), accesses_, sharing_.matrix(threads()), small_.figures(), large_.figures()};
  }

 private:
  std::vector<int> nodes_;
  ThreadNumbers numbers_;
  Sharing sharing_;
  PageUse small_, large_;
  std::uint64_t accesses_ = 0;
};

}  // namespace gable::kmaf
