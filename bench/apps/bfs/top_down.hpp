#pragma once

// The neighbours of a frontier's vertices, row by row: what top-down levels do.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "bench/apps/bfs/bfs.hpp"
#include "bench/apps/bfs/frontier.hpp"

namespace gable::bench {

/// This thread's part of [0, count).
inline std::pair<std::uint64_t, std::uint64_t> share_of_thread(std::size_t thread, std::size_t threads,
                                                               std::uint64_t count) {
  return {count * thread / threads, count * (thread + 1) / threads};
}

class BfsTopDown {
 public:
  BfsTopDown(const GraphView& graph, const BfsScratch& scratch, std::size_t threads)
      : graph_(graph), scratch_(scratch), threads_(threads) {
    constexpr std::uint64_t short_row = 8;  // as of a map
    short_rows_ = graph.out.neighbours.size() < short_row * graph.vertices();
  }

  /// This thread's share of one level, from `from` to `to`.
  void search(std::size_t thread, const BfsSide& from, BfsSide& to, const BfsFrontier& frontier,
              std::int32_t level) const {
    const bool room = frontier.edges > 0 && frontier.edges <= graph_.vertices();
    const Next next{to, to.parts[thread], level, room};
    if (frontier.hubs > 0) look_around(thread, from, next);
    const auto look = [&](std::span<const Vertex> vertices) { look_down(next, vertices); };
    if (short_rows_) {  // each thread goes on in the part of the graph where it was
      const auto [first, last] = share_of_thread(thread, threads_, frontier.queued);
      frontier.each(from, first, last, look);
      return;
    }
    constexpr std::uint64_t edges = 2048, most = 64;
    const std::uint64_t piece = std::clamp<std::uint64_t>(
        edges * frontier.queued / std::max<std::uint64_t>(frontier.edges, 1), 1, most);
    to.work.over(thread, frontier.queued, piece,
                 [&](std::uint64_t first, std::uint64_t last) { frontier.each(from, first, last, look); });
  }

  void push(BfsSide& to, BfsPart& part, Vertex v) const { to.push(part, v, graph_.out.degree(v)); }

 private:
  // What a level puts the vertices into that a thread finds.
  struct Next {
    BfsSide& side;
    BfsPart& part;
    std::int32_t level;
    bool room;  // for vertices that two threads push
  };

  // Each thread goes through every so-and-so-many-th stretch of all hubs' rows: neighbours at the begin of a
  // row are more often visited than those at its end.
  void look_around(std::size_t thread, const BfsSide& from, const Next& next) const {
    constexpr std::uint64_t stretch = BfsSide::hub_stretch;
    std::uint64_t first = thread;
    for (const BfsPart& part : from.parts) {
      for (const Vertex hub : part.hubs) {
        const std::span<const Vertex> row = graph_.out.of(hub);
        for (std::uint64_t i = first * stretch; i < row.size(); i += threads_ * stretch)
          look_along(next, row.subspan(i, std::min(stretch, row.size() - i)));
        first = (first + 1) % threads_;
      }
    }
  }

  void look_along(const Next& next, std::span<const Vertex> row) const {
    Vertex met[BfsSide::hub_stretch];
    for (std::size_t i = 0; i < row.size(); ++i) {
      __builtin_prefetch(&scratch_.depth[row[i]]);
      met[i] = row[i];
    }
    visit(next, unvisited({met, row.size()}));
  }

  // Puts the unvisited neighbours of vertices of the frontier into this thread's part of the next one. Rows
  // are fetched some vertices ahead, depths while further neighbours are collected.
  void look_down(const Next& next, std::span<const Vertex> vertices) const {
    constexpr std::size_t most = 256, soon = 4, later = 8, line = 16;
    Vertex met[most];
    std::size_t count = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (i + later < vertices.size()) __builtin_prefetch(&graph_.out.offsets[vertices[i + later]]);
      if (i + soon < vertices.size()) {
        const Vertex* const row = graph_.out.neighbours.data() + graph_.out.offsets[vertices[i + soon]];
        __builtin_prefetch(row);
        __builtin_prefetch(row + line);
      }
      for (const Vertex v : graph_.out.of(vertices[i])) {
        __builtin_prefetch(&scratch_.depth[v]);
        met[count++] = v;
        if (count == most) visit(next, unvisited({met, std::exchange(count, 0)}));
      }
    }
    visit(next, unvisited({met, count}));
  }

  // Moves these to the front, without a branch, for none could be predicted.
  std::span<const Vertex> unvisited(std::span<Vertex> met) const {
    std::size_t count = 0;
    for (const Vertex v : met) {
      met[count] = v;
      count += std::atomic_ref(scratch_.depth[v]).load(std::memory_order_relaxed) < 0;
    }
    return met.first(count);
  }

  // Two threads that meet a vertex at the same moment may both push it, which only costs time, if there is
  // room: a level pushes at most as many vertices as its frontier has edges. Otherwise depths are exchanged,
  // which is slower, as an atomic operation waits for all stores before it.
  void visit(const Next next, std::span<const Vertex> met) const {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (i + ahead < met.size()) __builtin_prefetch(&graph_.out.offsets[met[i + ahead]]);
      const Vertex v = met[i];
      const std::atomic_ref depth(scratch_.depth[v]);
      if (depth.load(std::memory_order_relaxed) >= 0) continue;
      if (next.room) {
        depth.store(next.level, std::memory_order_relaxed);
      } else if (depth.exchange(next.level, std::memory_order_relaxed) >= 0) {
        continue;
      }
      push(next.side, next.part, v);
      if (short_rows_)  // a narrow frontier: the row stays in the cache until the next level
        __builtin_prefetch(graph_.out.neighbours.data() + graph_.out.offsets[v]);
    }
  }

  const GraphView& graph_;
  const BfsScratch& scratch_;
  std::size_t threads_;
  bool short_rows_ = false;  // on average
};

}  // namespace gable::bench
