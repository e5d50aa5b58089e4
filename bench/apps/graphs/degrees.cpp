#include "bench/apps/graphs/degrees.hpp"

#include <atomic>

namespace gable::bench {

namespace {

// One thread's counts of how often each vertex is given. Each addition is delayed by some vertices while its
// counter is prefetched, because an atomic addition that misses the cache stalls all later instructions.
class Tally {
 public:
  explicit Tally(const Array<Vertex>& counts) : counts_(counts) {}
  ~Tally() {
    for (std::size_t i = given_ < delay ? 0 : given_ - delay; i < given_; ++i) add(late_[i % delay]);
  }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  void operator()(Vertex v) {
    __builtin_prefetch(&counts_[v], 1);
    if (given_ >= delay) add(late_[given_ % delay]);
    late_[given_++ % delay] = v;
  }

 private:
  static constexpr std::size_t delay = 32;
  void add(Vertex v) const { std::atomic_ref(counts_[v]).fetch_add(1, std::memory_order_relaxed); }

  const Array<Vertex>& counts_;
  Vertex late_[delay];
  std::size_t given_ = 0;
};

}  // namespace

Array<Vertex> count_ends(const EdgeList& edges, std::size_t vertices, Ends ends, Crew& crew) {
  Array<Vertex> counts(vertices);
  crew.over(edges.pieces().size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    Tally tally(counts);
    for (const Edge& edge : edges.pieces()[piece].list()) {
      if (ends != Ends::to) tally(edge.from);
      if (ends == Ends::to || (ends == Ends::both && edge.from != edge.to)) tally(edge.to);
    }
  });
  return counts;
}

}  // namespace gable::bench
