#pragma once

// The thread affinity matrix (kMAF paper, sections 3.2 and 3.4.2): the amount of sharing of each pair of
// threads.

#include <cstdint>
#include <vector>

namespace gable::kmaf {

/// Symmetric, T x T, 4 bytes an element; the diagonal is 0. Elements saturate.
class AffinityMatrix {
 public:
  explicit AffinityMatrix(int threads = 0) { grow(threads); }

  int threads() const { return threads_; }
  /// Resizes for `threads` threads and keeps the contents.
  void grow(int threads);

  std::uint32_t operator()(int i, int j) const { return cells_[at(i, j)]; }
  /// Adds sharing events between i and j, in both triangles; nothing if i equals j.
  void add(int i, int j, std::uint32_t events = 1);
  /// M - (M >> 2) in every element: old sharing counts three quarters of its former value.
  void age();
  /// Removes the sharing of a thread that has ended.
  void forget(int thread);
  bool empty() const;  ///< no sharing at all
  /// The difference to an earlier state that was aged alike; elements missing there count as 0.
  AffinityMatrix since(const AffinityMatrix& before) const;
  /// The part of these threads, numbered in this order.
  AffinityMatrix of(const std::vector<int>& threads) const;
  double sum() const;  ///< of all elements

  /// Bytes: equation 9 with elements of 4 bytes.
  std::size_t bytes() const { return cells_.size() * sizeof cells_[0]; }

 private:
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(threads_) + static_cast<std::size_t>(j);
  }

  int threads_ = 0;
  std::vector<std::uint32_t> cells_;
};

}  // namespace gable::kmaf
