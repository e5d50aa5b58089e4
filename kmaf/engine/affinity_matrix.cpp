#include "kmaf/engine/affinity_matrix.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gable::kmaf {

void AffinityMatrix::grow(int threads) {
  if (threads <= threads_) return;
  AffinityMatrix larger;
  larger.threads_ = threads;
  larger.cells_.resize(static_cast<std::size_t>(threads) * static_cast<std::size_t>(threads));
  for (int i = 0; i < threads_; ++i) {
    for (int j = 0; j < threads_; ++j) larger.cells_[larger.at(i, j)] = cells_[at(i, j)];
  }
  *this = std::move(larger);
}

void AffinityMatrix::add(int i, int j, std::uint32_t events) {
  if (i == j) return;
  const std::uint32_t room = std::numeric_limits<std::uint32_t>::max() - cells_[at(i, j)];
  cells_[at(i, j)] += std::min(events, room);
  cells_[at(j, i)] = cells_[at(i, j)];
}

void AffinityMatrix::age() {
  for (std::uint32_t& cell : cells_) cell -= cell >> 2;
}

void AffinityMatrix::forget(int thread) {
  for (int other = 0; other < threads_; ++other) cells_[at(thread, other)] = cells_[at(other, thread)] = 0;
}

bool AffinityMatrix::empty() const {
  return std::ranges::all_of(cells_, [](std::uint32_t cell) { return cell == 0; });
}

AffinityMatrix AffinityMatrix::since(const AffinityMatrix& before) const {
  AffinityMatrix fresh(threads_);
  for (int i = 0; i < threads_; ++i) {
    for (int j = 0; j < i; ++j) {
      const std::uint32_t old = i < before.threads_ ? before(i, j) : 0;
      fresh.add(i, j, (*this)(i, j) - std::min(old, (*this)(i, j)));
    }
  }
  return fresh;
}

AffinityMatrix AffinityMatrix::of(const std::vector<int>& threads) const {
  AffinityMatrix part(static_cast<int>(threads.size()));
  for (std::size_t i = 0; i < threads.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      part.add(static_cast<int>(i), static_cast<int>(j), (*this)(threads[i], threads[j]));
  }
  return part;
}

double AffinityMatrix::sum() const {
  return std::accumulate(cells_.begin(), cells_.end(), 0.0);
}

}  // namespace gable::kmaf
