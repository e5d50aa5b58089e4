#include "bench/apps/rows.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "bench/apps/scatter.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t rows_a_piece = 256;

template <class T>
T add(T& counter, T amount) {
  return std::atomic_ref<T>(counter).fetch_add(amount, std::memory_order_relaxed);
}

// Does job(item) some items later than it was asked to: when what was prefetched for it has come. An atomic
// addition to memory that has not come makes everything behind it wait.
template <class Item, class Job>
class Later {
 public:
  explicit Later(Job job) : job_(job) {}
  ~Later() {
    for (std::size_t i = count_ < delay ? 0 : count_ - delay; i < count_; ++i) job_(items_[i % delay]);
  }
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;

  void push(const Item& item) {
    if (count_ >= delay) job_(items_[count_ % delay]);
    items_[count_++ % delay] = item;
  }

 private:
  static constexpr std::size_t delay = 32;
  Job job_;
  Item items_[delay];
  std::size_t count_ = 0;
};

// Counts how often each vertex is given, from one thread of several.
class Tally {
 public:
  explicit Tally(const Array<Vertex>& counts) : counts_(counts), later_(Add{counts}) {}
  void operator()(Vertex v) {
    __builtin_prefetch(&counts_[v], 1);
    later_.push(v);
  }

 private:
  struct Add {
    const Array<Vertex>& counts;
    void operator()(Vertex v) const { add<Vertex>(counts[v], 1); }
  };
  const Array<Vertex>& counts_;
  Later<Vertex, Add> later_;
};

// Parts of [0, count) that threads take, whoever is free; several for each.
class Parts {
 public:
  Parts(std::size_t count, const Crew& crew) : count_(count), parts_(std::min(count, 4 * crew.threads())) {}
  std::size_t size() const { return parts_; }
  std::size_t first(std::size_t part) const { return count_ * part / parts_; }

 private:
  std::size_t count_, parts_;
};

// The entries of a bucket of `rows` rows, row by row, each row's in the order in which they were written.
class Grouped {
 public:
  // Groups into `to`. Afterwards row r is [begin(r), begin(r + 1)) there.
  void group(std::span<const Vertex> entries, std::span<const std::uint16_t> within, std::size_t rows,
             Vertex* to) {
    next_.assign(rows + 2, 0);
    for (const std::uint16_t row : within) ++next_[row + 2u];
    std::partial_sum(next_.begin(), next_.end(), next_.begin());
    for (std::size_t i = 0; i < entries.size(); ++i) to[next_[within[i] + 1u]++] = entries[i];
  }
  std::uint64_t begin(std::size_t row) const { return next_[row]; }

 private:
  std::vector<std::uint64_t> next_;
};

// Memory for a bucket while its rows are made, which stays in a core's cache.
class Scratch {
 public:
  // Of `entries`; what does not fit goes into `instead`, if there is such.
  Vertex* of(std::size_t entries, Vertex* instead = nullptr) {
    if (entries > usual && instead != nullptr) return instead;
    if (entries > memory_.size()) memory_ = Array<Vertex>(std::max(entries, usual));
    return memory_.data();
  }

 private:
  static constexpr std::size_t usual = 1u << 18;
  Array<Vertex> memory_;
};

// Moves the rows of buckets, of which each begins where the scatter put it, to where none leaves a gap.
void close_gaps(OwnedRows& rows, const Scatter& scatter, std::span<const std::uint64_t> used) {
  std::uint64_t to = 0;
  for (std::size_t b = 0; b < used.size(); ++b) {
    const std::uint64_t from = scatter.begin(b);
    if (from != to) {
      std::copy_n(rows.neighbours.data() + from, used[b], rows.neighbours.data() + to);
      for (std::size_t v = scatter.buckets().first(b); v < scatter.buckets().first(b + 1); ++v)
        rows.offsets[v] -= from - to;
    }
    to += used[b];
  }
  rows.offsets[rows.size()] = to;
  rows.neighbours.shrink(to);
}

// Sorts and cleans every row of every bucket.
void sort_rows(OwnedRows& rows, const Scatter& scatter, Vertex* spare, Crew& crew) {
  const Buckets& buckets = scatter.buckets();
  std::vector<std::uint64_t> used(buckets.size());
  Shared next;
  crew.run([&](std::size_t) {
    Scratch scratch;
    Grouped grouped;
    for (std::uint64_t b = next.take(); b < buckets.size(); b = next.take()) {
      const std::uint64_t begin = scatter.begin(b);
      const auto within = scatter.within(b);
      const std::size_t first = buckets.first(b), count = buckets.first(b + 1) - first;
      Vertex* const entries = scratch.of(within.size(), spare + begin);
      Vertex* to = rows.neighbours.data() + begin;
      grouped.group({to, within.size()}, within, count, entries);
      for (std::size_t r = 0; r < count; ++r) {
        rows.offsets[first + r] = static_cast<std::uint64_t>(to - rows.neighbours.data());
        std::sort(entries + grouped.begin(r), entries + grouped.begin(r + 1));
        to = std::unique_copy(entries + grouped.begin(r), entries + grouped.begin(r + 1), to);
      }
      used[b] = static_cast<std::uint64_t>(to - rows.neighbours.data()) - begin;
    }
  });
  close_gaps(rows, scatter, used);
}

// Gives write(v, w) every entry w of the rows v in [first, last) as (w, v), but for those on the diagonal
// where these are not wanted.
template <class Write>
void give_turned(const OwnedRows& rows, std::size_t first, std::size_t last, bool diagonal,
                 const Write& write) {
  for (std::size_t v = first; v < last; ++v) {
    for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
      const Vertex to = rows.neighbours[i];
      if (diagonal || to != v) write(to, static_cast<Vertex>(v));
    }
  }
}

// Row v: the rows that hold v and, with `own`, what row v holds behind them.
OwnedRows turned(const OwnedRows& rows, Array<Vertex> memory, bool own, Crew& crew) {
  const Parts parts(rows.neighbours.size(), crew);
  // The row in which a part begins; parts hold about as many entries each.
  const auto first_of = [&](std::size_t part) {
    if (part == parts.size()) return rows.size();
    return static_cast<std::size_t>(std::ranges::lower_bound(rows.offsets, parts.first(part)) -
                                    rows.offsets.begin());
  };
  Scatter scatter(rows.size(), parts.size());
  const Buckets& buckets = scatter.buckets();
  crew.over(parts.size(), 1, [&](std::uint64_t part, std::uint64_t) {
    give_turned(rows, first_of(part), first_of(part + 1), !own, scatter.counter(part));
  });
  const std::uint64_t entries =
      scatter.place([&](std::size_t b) { return own ? rows.offsets[buckets.first(b)] : 0; });
  OwnedRows made;
  made.offsets = Array<std::uint64_t>(rows.size() + 1);
  made.neighbours = std::move(memory).reuse<Vertex>(entries + (own ? rows.neighbours.size() : 0));
  crew.over(parts.size(), 1, [&](std::uint64_t part, std::uint64_t) {
    give_turned(rows, first_of(part), first_of(part + 1), !own, scatter.writer(part, made.neighbours));
  });
  Shared next;
  crew.run([&](std::size_t) {
    Scratch scratch;
    Grouped grouped;
    for (std::uint64_t b = next.take(); b < buckets.size(); b = next.take()) {
      const auto within = scatter.within(b);
      const std::size_t first = buckets.first(b), count = buckets.first(b + 1) - first;
      Vertex* const entries = scratch.of(within.size());
      Vertex* to = made.neighbours.data() + scatter.begin(b);
      grouped.group({to, within.size()}, within, count, entries);
      for (std::size_t r = 0; r < count; ++r) {
        made.offsets[first + r] = static_cast<std::uint64_t>(to - made.neighbours.data());
        to = std::copy(entries + grouped.begin(r), entries + grouped.begin(r + 1), to);
        if (!own) continue;
        const Vertex* row = rows.neighbours.data();
        to = std::copy(row + rows.offsets[first + r], row + rows.offsets[first + r + 1], to);
      }
    }
  });
  made.offsets[rows.size()] = made.neighbours.size();
  return made;
}

}  // namespace

Array<Vertex> count_ends(const EdgeList& edges, std::size_t vertices, bool both_ends, Crew& crew) {
  Array<Vertex> counts(vertices);
  crew.over(edges.pieces().size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    Tally tally(counts);
    for (const Edge& edge : edges.pieces()[piece].list()) {
      tally(edge.from);
      if (both_ends && edge.from != edge.to) tally(edge.to);
    }
  });
  return counts;
}

OwnedRows rows_of(EdgeList& edges, const Array<Vertex>& number, bool directed, Crew& crew) {
  const std::span<const EdgePiece> pieces = edges.pieces();
  const Parts parts(pieces.size(), crew);
  Scatter scatter(number.size(), parts.size());
  const auto for_pieces = [&](const auto& job) {
    crew.over(parts.size(), 1, [&](std::uint64_t part, std::uint64_t) {
      for (std::size_t i = parts.first(part); i < parts.first(part + 1); ++i) job(part, pieces[i].list());
    });
  };
  for_pieces([&](std::size_t part, std::span<Edge> list) {
    const auto count = scatter.counter(part);
    for (Edge& edge : list) {
      const Vertex from = number[edge.from], to = number[edge.to];
      edge = directed ? Edge{from, to} : Edge{std::min(from, to), std::max(from, to)};
      count(edge.from, edge.to);
    }
  });
  OwnedRows rows;
  rows.offsets = Array<std::uint64_t>(number.size() + 1);
  rows.neighbours = Array<Vertex>(scatter.place([](std::size_t) { return 0; }));
  for_pieces([&](std::size_t part, std::span<Edge> list) {
    const auto write = scatter.writer(part, rows.neighbours);
    for (const Edge& edge : list) write(edge.from, edge.to);
  });
  sort_rows(rows, scatter, edges.spare().data(), crew);
  return rows;
}

OwnedRows transpose(const OwnedRows& rows, Array<Vertex> memory, Crew& crew) {
  return turned(rows, std::move(memory), false, crew);
}

OwnedRows both_sides(const OwnedRows& half, Array<Vertex> memory, Crew& crew) {
  return turned(half, std::move(memory), true, crew);
}

std::uint64_t count_self_loops(const OwnedRows& rows, Crew& crew) {
  std::uint64_t loops = 0;
  crew.over(rows.size(), rows_a_piece, [&](std::uint64_t first, std::uint64_t last) {
    std::uint64_t here = 0;
    for (std::uint64_t v = first; v < last; ++v) {
      here += std::binary_search(rows.neighbours.data() + rows.offsets[v],
                                 rows.neighbours.data() + rows.offsets[v + 1], static_cast<Vertex>(v));
    }
    add(loops, here);
  });
  return loops;
}

}  // namespace gable::bench
