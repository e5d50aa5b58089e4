#include "bench/apps/bfs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <utility>

#include "base/clocks.hpp"
#include "bench/apps/bfs_bottom_up.hpp"
#include "bench/apps/bfs_frontier.hpp"

namespace gable::bench {

namespace {

// One search by all threads. All threads call each member function together.
class Search {
 public:
  Search(const GraphView& graph, const BfsScratch& scratch, const Crew& crew)
      : graph_(graph),
        scratch_(scratch),
        barrier_(crew),
        threads_(crew.threads()),
        bottom_(graph, scratch),
        sides_{
            {{scratch.queue[0], scratch.bits[0], threads_}, {scratch.queue[1], scratch.bits[1], threads_}}} {
    constexpr std::uint64_t short_row = 8;  // as of a map
    short_rows_ = graph.out.neighbours.size() < short_row * graph.vertices();
  }

  void run(std::size_t thread, Vertex source, BfsDirection direction, const BfsSwitch& turn) {
    set_up(thread, source);
    BfsFrontier frontier(threads_);
    frontier.sum_up(sides_[0]);
    bool below = direction == BfsDirection::bottom_up;
    if (below) to_bitmap(thread, sides_[0], sides_[1], 0);
    std::uint64_t unseen = graph_.out.neighbours.size(), unreached = bottom_.vertices(), before = 0;
    for (std::int32_t level = 1; frontier.size() > 0; ++level) {
      BfsSide &from = sides_[(level - 1) % 2], &to = sides_[level % 2];
      const std::uint64_t size = frontier.size(), edges = frontier.edges;
      unreached -= std::min(unreached, size);
      if (direction == BfsDirection::optimizing) {
        if (!below && static_cast<double>(edges) > static_cast<double>(unseen) / turn.alpha) {
          below = true;
          to_bitmap(thread, from, to, level - 1);
        } else if (below && size < std::min(before, unreached) &&
                   static_cast<double>(size) < graph_.vertices() / turn.beta) {
          below = false;
          to_queue(thread, from, frontier);
        }
      }
      before = size;
      unseen -= std::min(unseen, edges);
      to.parts[thread].clear();
      if (below) {
        bottom_up(thread, from, to, level);
      } else {
        top_down(thread, from, to, frontier, level);
      }
      from.work.reset(thread);  // nobody takes from this side before the barrier
      if (thread == 0) {
        from.chunks.reset();
        ++levels_;
        bottom_up_levels_ += below;
      }
      barrier_.wait();
      frontier.sum_up(to);
    }
  }

  int levels() const { return levels_; }
  int bottom_up_levels() const { return bottom_up_levels_; }

 private:
  // This thread's part of [0, count).
  std::pair<std::uint64_t, std::uint64_t> mine(std::size_t thread, std::uint64_t count) const {
    return {count * thread / threads_, count * (thread + 1) / threads_};
  }

  // job(first, last) for this thread's words of those that bottom-up levels go through, and of the others.
  template <typename Job>
  void over_words(std::size_t thread, const Job& job) const {
    const std::uint64_t below = bottom_.words(), all = (std::uint64_t{graph_.vertices()} + 63) / 64;
    const auto [first, last] = mine(thread, below);
    job(first, last);
    const auto [begin, end] = mine(thread, all - below);
    job(below + begin, below + end);
  }

  void set_up(std::size_t thread, Vertex source) {
    over_words(thread, [&](std::uint64_t first, std::uint64_t last) {
      if (first == last) return;  // the end of the last word may lie behind the vertices
      const auto depth = scratch_.depth.first(std::min<std::uint64_t>(last * 64, graph_.vertices()));
      std::ranges::fill(depth.subspan(first * 64), -1);
      if (source / 64 < first || source / 64 >= last) return;
      depth[source] = 0;
      push(sides_[0], sides_[0].parts[thread], source);
    });
    barrier_.wait();
  }

  void top_down(std::size_t thread, const BfsSide& from, BfsSide& to, const BfsFrontier& frontier,
                std::int32_t level) {
    const bool room = frontier.edges > 0 && frontier.edges <= graph_.vertices();
    const Next next{to, to.parts[thread], level, room};
    if (frontier.hubs > 0) look_around(thread, from, next);
    const auto look = [&](std::span<const Vertex> vertices) { look_down(next, vertices); };
    if (short_rows_) {  // each thread goes on in the part of the graph where it was
      const auto [first, last] = mine(thread, frontier.queued);
      frontier.each(from, first, last, look);
      return;
    }
    constexpr std::uint64_t edges = 2048, most = 64;
    const std::uint64_t piece = std::clamp<std::uint64_t>(
        edges * frontier.queued / std::max<std::uint64_t>(frontier.edges, 1), 1, most);
    to.work.over(thread, frontier.queued, piece,
                 [&](std::uint64_t first, std::uint64_t last) { frontier.each(from, first, last, look); });
  }

  // What a top-down level puts the vertices into that a thread finds.
  struct Next {
    BfsSide& side;
    BfsPart& part;
    std::int32_t level;
    bool room;  // for vertices that two threads push
  };

  // Each thread goes through every so-and-so-many-th stretch of all hubs' rows: neighbours at the begin of a
  // row are more often visited than those at its end.
  void look_around(std::size_t thread, const BfsSide& from, const Next& next) {
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

  void look_along(const Next& next, std::span<const Vertex> row) {
    Vertex met[BfsSide::hub_stretch];
    for (std::size_t i = 0; i < row.size(); ++i) {
      __builtin_prefetch(&scratch_.depth[row[i]]);
      met[i] = row[i];
    }
    visit(next, unvisited({met, row.size()}));
  }

  // Puts the unvisited neighbours of vertices of the frontier into this thread's part of the next one. Rows
  // are fetched some vertices ahead, depths while further neighbours are collected.
  void look_down(const Next& next, std::span<const Vertex> vertices) {
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
  void visit(const Next next, std::span<const Vertex> met) {
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

  void push(BfsSide& to, BfsPart& part, Vertex v) const { to.push(part, v, graph_.out.degree(v)); }

  void bottom_up(std::size_t thread, const BfsSide& from, BfsSide& to, std::int32_t level) {
    std::uint64_t count = 0;
    constexpr std::uint64_t piece = 16;
    to.work.over(thread, bottom_.words(), piece, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t w = first; w < last; ++w) {
        const std::uint64_t found = bottom_.look_up(from.bits, w, level);
        to.bits[w] = found;
        count += static_cast<std::uint64_t>(std::popcount(found));
      }
    });
    to.parts[thread].size = count;
  }

  void to_bitmap(std::size_t thread, BfsSide& from, BfsSide& to, std::int32_t level) {
    over_words(thread, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t w = first; w < last; ++w) {
        const BfsWord word = bottom_.read(w, level);
        scratch_.visited[w] = word.visited;
        from.bits[w] = word.front;
        to.bits[w] = 0;
      }
    });
    barrier_.wait();
  }

  void to_queue(std::size_t thread, BfsSide& from, BfsFrontier& frontier) {
    barrier_.wait();  // all have read the counts of this side
    BfsPart& part = from.parts[thread];
    part.clear();
    const auto [first, last] = mine(thread, bottom_.words());
    for (std::uint64_t w = first; w < last; ++w) {
      for (std::uint64_t left = from.bits[w]; left != 0; left &= left - 1)
        push(from, part, static_cast<Vertex>(w * 64 + static_cast<std::uint64_t>(std::countr_zero(left))));
    }
    barrier_.wait();
    frontier.sum_up(from);
  }

  const GraphView& graph_;
  const BfsScratch& scratch_;
  Barrier barrier_;
  std::size_t threads_;
  BfsBottomUp bottom_;
  bool short_rows_ = false;  // on average
  std::array<BfsSide, 2> sides_;
  int levels_ = 0, bottom_up_levels_ = 0;
};

}  // namespace

BfsRun bfs(const GraphView& graph, Vertex source, BfsDirection direction, const BfsSwitch& turn,
           const BfsScratch& scratch, Crew& crew) {
  Search search(graph, scratch, crew);
  Barrier start(crew);  // excludes the time to wake threads up
  double seconds = 0;
  crew.run([&](std::size_t thread) {
    start.wait();
    const double begin = monotonic_seconds();
    search.run(thread, source, direction, turn);  // ends at a barrier of all
    if (thread == 0) seconds = monotonic_seconds() - begin;
  });
  return {seconds, search.levels(), search.bottom_up_levels()};
}

}  // namespace gable::bench
