#include "bench/apps/bfs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "base/clocks.hpp"
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
        sides_{
            {{scratch.queue[0], scratch.bits[0], threads_}, {scratch.queue[1], scratch.bits[1], threads_}}} {
    // Vertices without in-edges come last in an undirected graph; bottom-up levels skip them.
    const auto offsets = graph.in.offsets;
    const auto last = std::ranges::lower_bound(offsets, offsets.back());
    bottom_words_ = (static_cast<std::uint64_t>(last - offsets.begin()) + 63) / 64;
    constexpr std::uint64_t short_row = 8;  // as of a map
    short_rows_ = graph.out.neighbours.size() < short_row * graph.vertices();
  }

  void run(std::size_t thread, Vertex source, BfsDirection direction, const BfsSwitch& turn) {
    set_up(thread, source);
    BfsFrontier frontier(threads_);
    frontier.sum_up(sides_[0]);
    bool below = direction == BfsDirection::bottom_up;
    if (below) to_bitmap(thread, sides_[0], frontier);
    std::uint64_t unseen = graph_.out.neighbours.size(), before = 0;
    for (std::int32_t level = 1; frontier.size > 0; ++level) {
      BfsSide &from = sides_[(level - 1) % 2], &to = sides_[level % 2];
      const std::uint64_t size = frontier.size, edges = frontier.edges;
      if (direction == BfsDirection::optimizing) {
        if (!below && static_cast<double>(edges) > static_cast<double>(unseen) / turn.alpha) {
          below = true;
          to_bitmap(thread, from, frontier);
        } else if (below && size < before && static_cast<double>(size) < graph_.vertices() / turn.beta) {
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
      if (thread == 0) {  // nobody takes from this side before the barrier
        from.work.reset();
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

  void set_up(std::size_t thread, Vertex source) {
    const auto [first, last] = mine(thread, graph_.vertices());
    std::fill(scratch_.depth.begin() + static_cast<std::ptrdiff_t>(first),
              scratch_.depth.begin() + static_cast<std::ptrdiff_t>(last), -1);
    barrier_.wait();
    if (thread == 0) {
      scratch_.depth[source] = 0;
      push(sides_[0], sides_[0].parts[0], source);
    }
    barrier_.wait();
  }

  void top_down(std::size_t thread, const BfsSide& from, BfsSide& to, const BfsFrontier& frontier,
                std::int32_t level) {
    const bool room = frontier.edges > 0 && frontier.edges <= graph_.vertices();
    const auto look = [&](std::span<const Vertex> vertices) {
      look_down(to, to.parts[thread], vertices, level, room);
    };
    constexpr std::uint64_t piece = 64;
    if (short_rows_) {  // each thread goes on in the part of the graph where it was
      const auto [first, last] = mine(thread, frontier.size);
      frontier.each(from, first, last, look);
    } else {
      for (std::uint64_t i = to.work.take(piece); i < frontier.size; i = to.work.take(piece))
        frontier.each(from, i, std::min(frontier.size, i + piece), look);
    }
  }

  // Puts the unvisited neighbours of vertices of the frontier into this thread's part of the next one. Depths
  // are fetched while further neighbours are collected.
  void look_down(BfsSide& to, BfsPart& part, std::span<const Vertex> vertices, std::int32_t level,
                 bool room) {
    constexpr std::size_t most = 256;
    Vertex met[most];
    std::size_t count = 0;
    for (const Vertex u : vertices) {
      for (const Vertex v : graph_.out.of(u)) {
        __builtin_prefetch(&scratch_.depth[v]);
        met[count++] = v;
        if (count == most) visit(to, part, unvisited({met, std::exchange(count, 0)}), level, room);
      }
    }
    visit(to, part, unvisited({met, count}), level, room);
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
  void visit(BfsSide& to, BfsPart& part, std::span<const Vertex> met, std::int32_t level, bool room) {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (i + ahead < met.size()) __builtin_prefetch(&graph_.out.offsets[met[i + ahead]]);
      const Vertex v = met[i];
      const std::atomic_ref depth(scratch_.depth[v]);
      if (depth.load(std::memory_order_relaxed) >= 0) continue;
      if (room) {
        depth.store(level, std::memory_order_relaxed);
      } else if (depth.exchange(level, std::memory_order_relaxed) >= 0) {
        continue;
      }
      push(to, part, v);
      if (short_rows_)  // a narrow frontier: the row stays in the cache until the next level
        __builtin_prefetch(graph_.out.neighbours.data() + graph_.out.offsets[v]);
    }
  }

  void push(BfsSide& to, BfsPart& part, Vertex v) const { to.push(part, v, graph_.out.degree(v)); }

  void bottom_up(std::size_t thread, const BfsSide& from, BfsSide& to, std::int32_t level) {
    std::uint64_t found = 0;
    constexpr std::uint64_t piece = 16;
    for (std::uint64_t w = to.work.take(piece); w < bottom_words_; w = to.work.take(piece)) {
      for (std::uint64_t k = w; k < std::min(bottom_words_, w + piece); ++k)
        found += look_up(from, to, k, level);
    }
    to.parts[thread].size = found;
  }

  // Searches the frontier for a neighbour of each unvisited vertex in one bitmap word; returns how many have
  // one.
  std::uint64_t look_up(const BfsSide& from, BfsSide& to, std::uint64_t word, std::int32_t level) {
    std::uint64_t found = 0;
    for (std::uint64_t left = ~scratch_.visited[word]; left != 0; left &= left - 1) {
      const std::uint64_t v = word * 64 + static_cast<std::uint64_t>(std::countr_zero(left));
      if (v >= graph_.vertices()) break;
      for (std::uint64_t i = graph_.in.offsets[v]; i < graph_.in.offsets[v + 1]; ++i) {
        const Vertex u = graph_.in.neighbours[i];
        if ((from.bits[u / 64] >> u % 64 & 1) == 0) continue;
        found |= left & -left;
        scratch_.depth[v] = level;
        break;
      }
    }
    scratch_.visited[word] |= found;
    to.bits[word] = found;
    return static_cast<std::uint64_t>(std::popcount(found));
  }

  void to_bitmap(std::size_t thread, BfsSide& from, const BfsFrontier& frontier) {
    for (const BfsSide& side : sides_) {
      const auto [begin, end] = mine(thread, side.bits.size());
      std::memset(side.bits.data() + begin, 0, 8 * (end - begin));
    }
    const auto [begin, end] = mine(thread, scratch_.visited.size());
    for (std::uint64_t w = begin; w < end; ++w) scratch_.visited[w] = visited_word(w);
    barrier_.wait();
    const auto [first, last] = mine(thread, frontier.size);
    frontier.each(from, first, last, [&](std::span<const Vertex> vertices) {
      for (const Vertex v : vertices)
        std::atomic_ref(from.bits[v / 64]).fetch_or(std::uint64_t{1} << v % 64, std::memory_order_relaxed);
    });
    barrier_.wait();
  }

  std::uint64_t visited_word(std::uint64_t word) const {
    std::uint64_t bits = 0;
    const std::uint64_t begin = word * 64, end = std::min<std::uint64_t>(begin + 64, graph_.vertices());
    for (std::uint64_t v = begin; v < end; ++v) bits |= std::uint64_t{scratch_.depth[v] >= 0} << v % 64;
    return bits;
  }

  void to_queue(std::size_t thread, BfsSide& from, BfsFrontier& frontier) {
    barrier_.wait();  // all have read the counts of this side
    BfsPart& part = from.parts[thread];
    part.clear();
    const auto [first, last] = mine(thread, bottom_words_);
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
  std::uint64_t bottom_words_ = 0;
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
