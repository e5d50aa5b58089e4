#include "bench/apps/bfs/bfs.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/clocks.hpp"
#include "bench/apps/bfs/bottom_up.hpp"
#include "bench/apps/bfs/frontier.hpp"
#include "bench/apps/bfs/top_down.hpp"

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
        top_(graph, scratch, threads_),
        bottom_(graph, scratch),
        sides_{
            {{scratch.queue[0], scratch.bits[0], threads_}, {scratch.queue[1], scratch.bits[1], threads_}}} {}

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
        top_.search(thread, from, to, frontier, level);
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
  // job(first, last) for this thread's words of those that bottom-up levels go through, and of the others.
  template <typename Job>
  void over_words(std::size_t thread, const Job& job) const {
    const std::uint64_t below = bottom_.words(), all = (std::uint64_t{graph_.vertices()} + 63) / 64;
    const auto [first, last] = share_of_thread(thread, threads_, below);
    job(first, last);
    const auto [begin, end] = share_of_thread(thread, threads_, all - below);
    job(below + begin, below + end);
  }

  void set_up(std::size_t thread, Vertex source) {
    over_words(thread, [&](std::uint64_t first, std::uint64_t last) {
      if (first == last) return;  // the end of the last word may lie behind the vertices
      const auto depth = scratch_.depth.first(std::min<std::uint64_t>(last * 64, graph_.vertices()));
      std::ranges::fill(depth.subspan(first * 64), -1);
      if (source / 64 < first || source / 64 >= last) return;
      depth[source] = 0;
      top_.push(sides_[0], sides_[0].parts[thread], source);
    });
    barrier_.wait();
  }

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
    const auto [first, last] = share_of_thread(thread, threads_, bottom_.words());
    for (std::uint64_t w = first; w < last; ++w) {
      for (std::uint64_t left = from.bits[w]; left != 0; left &= left - 1)
        top_.push(from, part,
                  static_cast<Vertex>(w * 64 + static_cast<std::uint64_t>(std::countr_zero(left))));
    }
    barrier_.wait();
    frontier.sum_up(from);
  }

  const GraphView& graph_;
  const BfsScratch& scratch_;
  Barrier barrier_;
  std::size_t threads_;
  BfsTopDown top_;
  BfsBottomUp bottom_;
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
