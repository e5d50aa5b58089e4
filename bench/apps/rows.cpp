#include "bench/apps/rows.hpp"

#include <algorithm>
#include <atomic>

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

// Puts entries behind those that their row has already: offsets[v + 1] is where row v goes on.
class Filler {
 public:
  explicit Filler(const OwnedRows& rows) : rows_(rows), write_(Write{rows}), take_(Take{rows, write_}) {}
  void operator()(Vertex v, Vertex neighbour) {
    __builtin_prefetch(&rows_.offsets[v + 1u], 1);
    take_.push({v, neighbour});
  }

 private:
  struct Entry {
    Vertex row, neighbour;
  };
  struct Slot {
    std::uint64_t at;
    Vertex neighbour;
  };
  struct Write {
    const OwnedRows& rows;
    void operator()(const Slot& slot) const { rows.neighbours[slot.at] = slot.neighbour; }
  };
  struct Take {
    const OwnedRows& rows;
    Later<Slot, Write>& write;
    void operator()(const Entry& entry) const {
      const std::uint64_t at = add<std::uint64_t>(rows.offsets[entry.row + 1u], 1);
      __builtin_prefetch(&rows.neighbours[at], 1);
      write.push({at, entry.neighbour});
    }
  };
  const OwnedRows& rows_;
  Later<Slot, Write> write_;  // outlives what pushes into it
  Later<Entry, Take> take_;
};

// Empty rows with room for `size(v)` entries each; offsets[v + 1] is where row v begins.
template <class Size>
OwnedRows with_room(std::size_t rows, const Size& size) {
  OwnedRows made;
  made.offsets = Array<std::uint64_t>(rows + 1);
  std::uint64_t begin = 0;
  for (std::size_t v = 0; v < rows; ++v) {
    made.offsets[v + 1] = begin;
    begin += size(v);
  }
  made.neighbours = Array<Vertex>(begin);
  return made;
}

// Sorts every row and closes the gaps that entries named twice leave.
void sort_rows(OwnedRows& rows, Crew& crew) {
  Array<Vertex> degree(rows.size());
  std::atomic<bool> gaps = false;
  crew.over(rows.size(), rows_a_piece, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t v = first; v < last; ++v) {
      Vertex* const begin = rows.neighbours.data() + rows.offsets[v];
      Vertex* const end = rows.neighbours.data() + rows.offsets[v + 1];
      if (!std::is_sorted(begin, end)) std::sort(begin, end);
      degree[v] = static_cast<Vertex>(std::unique(begin, end) - begin);
      if (begin + degree[v] != end) gaps.store(true, std::memory_order_relaxed);
    }
  });
  if (!gaps) return;
  std::uint64_t to = 0;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const std::uint64_t from = std::exchange(rows.offsets[v], to);
    std::copy_n(rows.neighbours.data() + from, degree[v], rows.neighbours.data() + to);
    to += degree[v];
  }
  rows.offsets[rows.size()] = to;
  Array<Vertex> shorter(to);
  std::copy_n(rows.neighbours.data(), to, shorter.data());
  rows.neighbours = std::move(shorter);
}

// job(v, entry) for all entries, with a `Sink` of its own in every piece.
template <class MakeSink, class Job>
void for_entries(const OwnedRows& rows, Crew& crew, const MakeSink& make, const Job& job) {
  crew.over(rows.size(), rows_a_piece, [&](std::uint64_t first, std::uint64_t last) {
    auto sink = make();
    for (std::uint64_t v = first; v < last; ++v) {
      for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i)
        job(sink, static_cast<Vertex>(v), rows.neighbours[i]);
    }
  });
}

}  // namespace

Array<Vertex> count_ends(const std::vector<EdgePiece>& edges, std::size_t vertices, bool both_ends,
                         Crew& crew) {
  Array<Vertex> counts(vertices);
  crew.over(edges.size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    Tally tally(counts);
    for (const Edge& edge : edges[piece].list()) {
      tally(edge.from);
      if (both_ends && edge.from != edge.to) tally(edge.to);
    }
  });
  return counts;
}

OwnedRows rows_of(std::vector<EdgePiece> edges, std::size_t vertices, Crew& crew) {
  OwnedRows rows;
  {
    const Array<Vertex> degree = count_ends(edges, vertices, false, crew);
    rows = with_room(vertices, [&](std::size_t v) { return degree[v]; });
  }
  crew.over(edges.size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    Filler fill(rows);
    for (const Edge& edge : edges[piece].list()) fill(edge.from, edge.to);
    edges[piece] = {};
  });
  sort_rows(rows, crew);
  return rows;
}

OwnedRows transpose(const OwnedRows& rows, Crew& crew) {
  Array<Vertex> degree(rows.size());
  for_entries(
      rows, crew, [&] { return Tally(degree); }, [](Tally& tally, Vertex, Vertex to) { tally(to); });
  OwnedRows turned = with_room(rows.size(), [&](std::size_t v) { return degree[v]; });
  for_entries(
      rows, crew, [&] { return Filler(turned); }, [](Filler& fill, Vertex v, Vertex to) { fill(to, v); });
  sort_rows(turned, crew);
  return turned;
}

OwnedRows both_sides(const OwnedRows& half, Crew& crew) {
  Array<Vertex> below(half.size());  // of each row, the entries below its number: others' rows hold them
  for_entries(
      half, crew, [&] { return Tally(below); },
      [](Tally& tally, Vertex v, Vertex to) {
        if (to != v) tally(to);
      });
  const auto above = [&](std::size_t v) { return half.offsets[v + 1] - half.offsets[v]; };
  OwnedRows rows = with_room(half.size(), [&](std::size_t v) { return below[v] + above(v); });
  for_entries(
      half, crew, [&] { return Filler(rows); },
      [](Filler& fill, Vertex v, Vertex to) {
        if (to != v) fill(to, v);
      });
  crew.over(half.size(), rows_a_piece, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t v = first; v < last; ++v) {
      Vertex* const end = rows.neighbours.data() + rows.offsets[v + 1];
      if (!std::is_sorted(end - below[v], end)) std::sort(end - below[v], end);
      std::copy_n(half.neighbours.data() + half.offsets[v], above(v), end);
      rows.offsets[v + 1] += above(v);
    }
  });
  return rows;
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
