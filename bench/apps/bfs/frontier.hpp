#pragma once

// The vertices of one level of a search, which each thread collects in chunks of its own.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/apps/bfs/bfs.hpp"
#include "bench/threads/crew.hpp"

namespace gable::bench {

/// What one thread found at one level: vertices in the queue of its side and hubs, or a count of bits.
struct alignas(64) BfsPart {
  std::uint64_t size = 0;             ///< without hubs
  std::uint64_t edges = 0;            ///< of vertices in the queue and of hubs
  std::vector<std::uint64_t> chunks;  ///< start indices in the queue
  std::vector<Vertex> hubs;           ///< vertices whose row all threads go through together

  void clear() {
    size = edges = 0;
    chunks.clear();
    hubs.clear();
  }
};

/// What all threads found at one level. The next level reads it and meanwhile fills another one, so that one
/// barrier a level is enough.
struct BfsSide {
  static constexpr std::size_t most_hubs = 256;      ///< of a part; the others go into the queue
  static constexpr std::uint64_t hub_stretch = 128;  ///< so much of a hub's row is for one thread

  BfsSide(std::span<Vertex> queue, std::span<std::uint64_t> bits, std::size_t threads)
      : queue(queue), bits(bits), parts(threads), work(threads), hub_edges(hub_stretch * threads) {
    // They are reserved here, because a thread that fails for lack of memory would leave the others at the
    // barrier.
    for (BfsPart& part : parts) {
      part.chunks.reserve(queue.size() / BfsScratch::chunk);
      part.hubs.reserve(most_hubs);
    }
  }

  void push(BfsPart& part, Vertex v, std::uint64_t edges) {
    part.edges += edges;
    if (edges >= hub_edges && part.hubs.size() < most_hubs) {
      part.hubs.push_back(v);
      return;
    }
    const std::uint64_t place = part.size % BfsScratch::chunk;
    if (place == 0) part.chunks.push_back(chunks.take() * BfsScratch::chunk);
    queue[part.chunks.back() + place] = v;
    ++part.size;
  }

  std::span<Vertex> queue;
  std::span<std::uint64_t> bits;  ///< one per vertex
  std::vector<BfsPart> parts;     ///< one per thread
  Ranges work;                    ///< of the search that fills this side
  Shared chunks;
  std::uint64_t hub_edges;  ///< so many make a hub
};

/// The sums over the parts of a side, which each thread computes for itself.
struct BfsFrontier {
  explicit BfsFrontier(std::size_t threads) : begins(threads) {}

  void sum_up(const BfsSide& side) {
    queued = hubs = edges = 0;
    for (std::size_t t = 0; t < begins.size(); ++t) {
      begins[t] = queued;
      queued += side.parts[t].size;
      hubs += side.parts[t].hubs.size();
      edges += side.parts[t].edges;
    }
  }

  std::uint64_t size() const { return queued + hubs; }

  /// look(vertices) for the vertices `first` to before `last` of the whole queue, at most a chunk at a time.
  template <typename Look>
  void each(const BfsSide& side, std::uint64_t first, std::uint64_t last, const Look& look) const {
    constexpr std::uint64_t chunk = BfsScratch::chunk;
    auto t = static_cast<std::size_t>(std::ranges::upper_bound(begins, first) - begins.begin() - 1);
    for (; first < last; ++t) {
      const BfsPart& part = side.parts[t];
      for (std::uint64_t i = first - begins[t]; i < part.size && first < last;) {
        const std::uint64_t count = std::min({chunk - i % chunk, part.size - i, last - first});
        look(std::span<const Vertex>(side.queue.subspan(part.chunks[i / chunk] + i % chunk, count)));
        i += count;
        first += count;
      }
    }
  }

  std::uint64_t queued = 0, hubs = 0, edges = 0;
  std::vector<std::uint64_t> begins;  ///< of each thread's part in the whole queue
};

}  // namespace gable::bench
