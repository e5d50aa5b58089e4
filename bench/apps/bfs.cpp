#include "bench/apps/bfs.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <numeric>
#include <utility>

namespace gable::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t chunk = BfsScratch::chunk, line = 64;

// One search by all threads. All threads call each member function together.
class Search {
 public:
  Search(const GraphView& graph, const BfsScratch& scratch, std::size_t threads)
      : graph_(graph), scratch_(scratch), barrier_(threads), threads_(threads), own_(threads) {
    // Here, because a thread that fails for lack of memory would leave the others at the barrier.
    for (Own& own : own_) own.chunks.reserve(scratch.local.size() / chunk);
    // Vertices without in-edges come last in an undirected graph; bottom-up levels skip them.
    const auto offsets = graph.in.offsets;
    const auto last = std::ranges::lower_bound(offsets, offsets.back());
    bottom_words_ = (static_cast<std::uint64_t>(last - offsets.begin()) + 63) / 64;
    constexpr std::uint64_t short_row = 8;  // as of a map
    short_rows_ = graph.out.neighbours.size() < short_row * graph.vertices();
  }

  void run(std::size_t thread, Vertex source, BfsDirection direction, const BfsSwitch& turn) {
    set_up(thread, source);
    bool below = direction == BfsDirection::bottom_up;
    if (below) to_bitmap(thread);
    std::uint64_t unseen = graph_.out.neighbours.size();
    for (std::int32_t level = 1; size_ > 0; ++level) {
      const std::uint64_t before = size_, edges = edges_;
      if (direction == BfsDirection::optimizing) {
        if (!below && static_cast<double>(edges) > static_cast<double>(unseen) / turn.alpha) {
          below = true;
          to_bitmap(thread);
        } else if (below && shrinking_ && static_cast<double>(before) < graph_.vertices() / turn.beta) {
          below = false;
          to_queue(thread);
        }
      }
      unseen -= std::min(unseen, edges);
      if (below) {
        bottom_up(thread, level);
      } else {
        top_down(thread, level);
      }
      if (thread == 0) {
        ++levels_;
        bottom_up_levels_ += below;
      }
    }
  }

  int levels() const { return levels_; }
  int bottom_up_levels() const { return bottom_up_levels_; }

 private:
  struct alignas(line) Own {
    std::uint64_t size = 0, edges = 0;
    std::vector<std::uint64_t> chunks;  // start indices in scratch_.local
  };

  // This thread's part of [0, count).
  std::pair<std::uint64_t, std::uint64_t> mine(std::size_t thread, std::uint64_t count) const {
    return {count * thread / threads_, count * (thread + 1) / threads_};
  }

  void set_up(std::size_t thread, Vertex source) {
    const auto [first, last] = mine(thread, graph_.vertices());
    std::fill(scratch_.depth.begin() + static_cast<std::ptrdiff_t>(first),
              scratch_.depth.begin() + static_cast<std::ptrdiff_t>(last), -1);
    if (thread == 0) {
      frontier_ = scratch_.frontier, next_ = scratch_.next;
      front_ = scratch_.front, found_ = scratch_.found;
    }
    barrier_.wait();
    if (thread == 0) {
      scratch_.depth[source] = 0;
      frontier_[0] = source;
      size_ = 1;
      edges_ = graph_.out.degree(source);
      room_ = edges_ <= graph_.vertices();
    }
    barrier_.wait();
  }

  void top_down(std::size_t thread, std::int32_t level) {
    Own& own = own_[thread];
    own.size = own.edges = 0;
    own.chunks.clear();
    constexpr std::uint64_t piece = 64;
    if (short_rows_) {  // each thread goes on in the part of the graph where it was
      const auto [first, last] = mine(thread, size_);
      look_down(own, first, last, level);
    } else {
      for (std::uint64_t i = work_.take(piece); i < size_; i = work_.take(piece))
        look_down(own, i, std::min(size_, i + piece), level);
    }
    const std::span<Vertex> next = next_;
    barrier_.wait();
    // The offset of each thread's part is known, so all threads copy at once without a lock.
    std::uint64_t to = 0;
    for (std::size_t t = 0; t < thread; ++t) to += own_[t].size;
    for (std::uint64_t left = own.size; const std::uint64_t begin : own.chunks) {
      const std::uint64_t here = std::min(left, chunk);
      std::copy_n(scratch_.local.data() + begin, here, next.data() + to);
      to += here;
      left -= here;
    }
    if (thread == 0) {
      end_level();
      std::swap(frontier_, next_);
    }
    barrier_.wait();
  }

  // Puts the unvisited neighbours of the frontier's vertices first ... last - 1 into this thread's part of
  // the next one. They are collected without a branch, for none could be predicted.
  void look_down(Own& own, std::uint64_t first, std::uint64_t last, std::int32_t level) {
    constexpr std::size_t most = 256;
    Vertex met[most];
    std::size_t count = 0;
    for (std::uint64_t k = first; k < last; ++k) {
      for (const Vertex v : graph_.out.of(frontier_[k])) {
        met[count] = v;
        count += std::atomic_ref(scratch_.depth[v]).load(std::memory_order_relaxed) < 0;
        if (count == most) visit(own, {met, std::exchange(count, 0)}, level);
      }
    }
    visit(own, {met, count}, level);
  }

  // Two threads that meet a vertex at the same moment may both push it, which only costs time, if there is
  // room: a level pushes at most as many vertices as its frontier has edges. Otherwise depths are exchanged,
  // which is slower, as an atomic operation waits for all stores before it.
  void visit(Own& own, std::span<const Vertex> met, std::int32_t level) {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (i + ahead < met.size()) __builtin_prefetch(&graph_.out.offsets[met[i + ahead]]);
      const Vertex v = met[i];
      const std::atomic_ref depth(scratch_.depth[v]);
      if (depth.load(std::memory_order_relaxed) >= 0) continue;
      if (room_) {
        depth.store(level, std::memory_order_relaxed);
      } else if (depth.exchange(level, std::memory_order_relaxed) >= 0) {
        continue;
      }
      push(own, v);
      if (short_rows_)  // a narrow frontier: the row stays in the cache until the next level
        __builtin_prefetch(graph_.out.neighbours.data() + graph_.out.offsets[v]);
    }
  }

  void push(Own& own, Vertex v) {
    const std::uint64_t place = own.size % chunk;
    if (place == 0) own.chunks.push_back(chunks_.take() * chunk);
    scratch_.local[own.chunks.back() + place] = v;
    ++own.size;
    own.edges += graph_.out.degree(v);
  }

  void bottom_up(std::size_t thread, std::int32_t level) {
    Own& own = own_[thread];
    own.size = own.edges = 0;
    constexpr std::uint64_t piece = 16;
    for (std::uint64_t w = work_.take(piece); w < bottom_words_; w = work_.take(piece)) {
      for (std::uint64_t k = w; k < std::min(bottom_words_, w + piece); ++k) own.size += look_up(k, level);
    }
    barrier_.wait();
    if (thread == 0) {
      end_level();
      std::swap(front_, found_);
    }
    barrier_.wait();
  }

  // Searches the frontier for a neighbour of each unvisited vertex in one bitmap word; returns how many have
  // one.
  std::uint64_t look_up(std::uint64_t word, std::int32_t level) {
    std::uint64_t found = 0;
    for (std::uint64_t left = ~scratch_.visited[word]; left != 0; left &= left - 1) {
      const std::uint64_t v = word * 64 + static_cast<std::uint64_t>(std::countr_zero(left));
      if (v >= graph_.vertices()) break;
      for (std::uint64_t i = graph_.in.offsets[v]; i < graph_.in.offsets[v + 1]; ++i) {
        const Vertex u = graph_.in.neighbours[i];
        if ((front_[u / 64] >> u % 64 & 1) == 0) continue;
        found |= left & -left;
        scratch_.depth[v] = level;
        break;
      }
    }
    scratch_.visited[word] |= found;
    found_[word] = found;
    return static_cast<std::uint64_t>(std::popcount(found));
  }

  void to_bitmap(std::size_t thread) {
    for (const auto bitmap : {front_, found_}) {
      const auto [begin, end] = mine(thread, bitmap.size());
      std::memset(bitmap.data() + begin, 0, 8 * (end - begin));
    }
    const auto [begin, end] = mine(thread, scratch_.visited.size());
    for (std::uint64_t w = begin; w < end; ++w) scratch_.visited[w] = visited_word(w);
    barrier_.wait();
    const auto [first, last] = mine(thread, size_);
    for (std::uint64_t i = first; i < last; ++i) {
      const Vertex v = frontier_[i];
      std::atomic_ref(front_[v / 64]).fetch_or(std::uint64_t{1} << v % 64, std::memory_order_relaxed);
    }
    barrier_.wait();
  }

  std::uint64_t visited_word(std::uint64_t word) const {
    std::uint64_t bits = 0;
    const std::uint64_t begin = word * 64, end = std::min<std::uint64_t>(begin + 64, graph_.vertices());
    for (std::uint64_t v = begin; v < end; ++v) bits |= std::uint64_t{scratch_.depth[v] >= 0} << v % 64;
    return bits;
  }

  void to_queue(std::size_t thread) {
    const auto [first, last] = mine(thread, bottom_words_);
    Own& own = own_[thread];
    own.size = own.edges = 0;
    for (std::uint64_t w = first; w < last; ++w)
      own.size += static_cast<std::uint64_t>(std::popcount(front_[w]));
    barrier_.wait();
    std::uint64_t to = 0;
    for (std::size_t t = 0; t < thread; ++t) to += own_[t].size;
    for (std::uint64_t w = first; w < last; ++w) {
      for (std::uint64_t left = front_[w]; left != 0; left &= left - 1)
        frontier_[to++] = static_cast<Vertex>(w * 64 + static_cast<std::uint64_t>(std::countr_zero(left)));
    }
    barrier_.wait();
  }

  // No thread searches any more: what all found is the next frontier.
  void end_level() {
    const std::uint64_t before = size_;
    size_ = edges_ = 0;
    for (const Own& own : own_) {
      size_ += own.size;
      edges_ += own.edges;
    }
    shrinking_ = size_ < before;
    room_ = edges_ > 0 && edges_ <= graph_.vertices();
    work_.reset();
    chunks_.reset();
  }

  const GraphView& graph_;
  const BfsScratch& scratch_;
  Barrier barrier_;
  std::size_t threads_;
  std::uint64_t bottom_words_ = 0;
  bool short_rows_ = false;  // on average
  bool room_ = false;        // for as many vertices as the frontier has edges
  std::vector<Own> own_;
  std::span<Vertex> frontier_, next_;
  std::span<std::uint64_t> front_, found_;
  std::uint64_t size_ = 0, edges_ = 0;  // of the frontier; edges are counted only top-down
  bool shrinking_ = false;
  int levels_ = 0, bottom_up_levels_ = 0;
  Shared work_, chunks_;
};

}  // namespace

BfsRun bfs(const GraphView& graph, Vertex source, BfsDirection direction, const BfsSwitch& turn,
           const BfsScratch& scratch, Crew& crew) {
  Search search(graph, scratch, crew.threads());
  Barrier start(crew.threads());  // excludes the time to wake threads up
  double seconds = 0;
  crew.run([&](std::size_t thread) {
    start.wait();
    const Clock::time_point begin = Clock::now();
    search.run(thread, source, direction, turn);  // ends at a barrier of all
    if (thread == 0) seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  });
  return {seconds, search.levels(), search.bottom_up_levels()};
}

}  // namespace gable::bench
