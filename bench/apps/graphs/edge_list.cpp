#include "bench/apps/graphs/edge_list.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace gable::bench {

EdgeList::EdgeList(std::uint64_t most, std::size_t writers) {
  // The range is inaccessible until it is used, so that the kernel does not count unused memory. If address
  // space is limited (ulimit -v), a smaller range may suffice: `most` is often far above the real number.
  const std::size_t least = (writers + 1) * piece_edges;
  std::size_t edges = most / piece_edges * piece_edges + least;
  void* space = MAP_FAILED;
  for (;; edges = std::max(edges / 2 / piece_edges * piece_edges, least)) {
    space =
        mmap(nullptr, edges * sizeof(Edge), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space != MAP_FAILED) break;
    if (edges == least) throw std::bad_alloc();
  }
  madvise(space, edges * sizeof(Edge), MADV_HUGEPAGE);
  space_ = Array<Edge>(static_cast<Edge*>(space), edges);
}

EdgeList& EdgeList::operator=(EdgeList&& other) noexcept {
  space_ = std::move(other.space_);
  rooms_ = other.rooms_.exchange(0);
  pieces_ = std::move(other.pieces_);
  return *this;
}

Edge* EdgeList::room() {
  const std::size_t begin = rooms_.fetch_add(1) * piece_edges;
  if (begin >= space_.size()) throw std::bad_alloc();
  Edge* const room = space_.data() + begin;
  if (mprotect(room, piece_edges * sizeof(Edge), PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  return room;
}

void EdgeList::close() {
  space_.shrink(std::min(space_.size(), rooms_ * piece_edges));
}

std::uint64_t EdgeList::edges() const {
  std::uint64_t edges = 0;
  for (const EdgePiece& piece : pieces_) edges += piece.used;
  return edges;
}

std::span<Vertex> EdgeList::spare() const {
  return {reinterpret_cast<Vertex*>(space_.data()), rooms_ * piece_edges * 2};
}

Array<Vertex> EdgeList::memory() && {
  const std::size_t vertices = spare().size();
  pieces_.clear();
  rooms_ = 0;
  return std::move(space_).reuse<Vertex>(vertices);
}

}  // namespace gable::bench
