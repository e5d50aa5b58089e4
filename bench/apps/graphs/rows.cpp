#include "bench/apps/graphs/rows.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "bench/apps/graphs/scatter.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t rows_a_piece = 256;

// Work is dynamically scheduled, in several parts per thread.
std::size_t parts_of(const Crew& crew) {
  return 4 * crew.threads();
}

// The entries of a bucket of `rows` rows, row by row, in the order in which they were written.
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

// Memory for building the rows of a bucket, which stays in a core's cache.
class Scratch {
 public:
  // Memory for `entries`; if they do not fit, uses `instead` if given.
  Vertex* of(std::size_t entries, Vertex* instead = nullptr) {
    if (entries > usual && instead != nullptr) return instead;
    if (entries > memory_.size()) memory_ = Array<Vertex>(std::max(entries, usual));
    return memory_.data();
  }

 private:
  static constexpr std::size_t usual = 1u << 18;
  Array<Vertex> memory_;
};

// Moves the rows of the buckets from their places after the scatter so that no gaps remain.
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

// Calls write(w, v) for every entry w of the rows v in [first, last), optionally without the
// diagonal.
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

// Groups the entries scattered to `to` by rows and appends those of row v of `own`. Returns the offsets,
// which replace those of `own`.
Array<std::uint64_t> join(const Array<Vertex>& to, const Scatter& scatter, OwnedRows own, Crew& crew) {
  const Buckets& buckets = scatter.buckets();
  Array<std::uint64_t> offsets = std::move(own.offsets);
  Shared next;
  crew.run([&](std::size_t) {
    Scratch scratch;
    Grouped grouped;
    for (std::uint64_t b = next.take(); b < buckets.size(); b = next.take()) {
      const auto within = scatter.within(b);
      const std::size_t first = buckets.first(b), count = buckets.first(b + 1) - first;
      Vertex* const entries = scratch.of(within.size());
      Vertex* at = to.data() + scatter.begin(b);
      grouped.group({at, within.size()}, within, count, entries);
      std::uint64_t own_begin = scatter.gap(b);
      for (std::size_t r = 0; r < count; ++r) {
        // The next bucket's offsets may already be the new ones.
        const std::uint64_t own_end = r + 1 < count ? offsets[first + r + 1] : scatter.gap(b + 1);
        offsets[first + r] = static_cast<std::uint64_t>(at - to.data());
        at = std::copy(entries + grouped.begin(r), entries + grouped.begin(r + 1), at);
        at = std::copy(own.neighbours.data() + own_begin, own.neighbours.data() + own_end, at);
        own_begin = own_end;
      }
    }
  });
  offsets[offsets.size() - 1] = to.size();
  return offsets;
}

// Transposes the rows by scattering to `memory`. With `gaps` it leaves room for the rows themselves and omits
// the diagonal.
Array<Vertex> scatter_turned(const OwnedRows& rows, Array<Vertex> memory, bool gaps, Scatter& scatter,
                             Crew& crew) {
  // The first row of a part; parts have about equally many entries.
  const auto first_of = [&](std::uint64_t part) {
    const std::uint64_t entry = rows.neighbours.size() * part / scatter.parts();
    if (part == scatter.parts()) return rows.size();
    return static_cast<std::size_t>(std::ranges::lower_bound(rows.offsets, entry) - rows.offsets.begin());
  };
  crew.over(scatter.parts(), 1, [&](std::uint64_t part, std::uint64_t) {
    give_turned(rows, first_of(part), first_of(part + 1), !gaps, scatter.counter(part));
  });
  const std::uint64_t entries = scatter.place(
      [&](std::size_t bucket) { return gaps ? rows.offsets[scatter.buckets().first(bucket)] : 0; });
  Array<Vertex> to = std::move(memory).reuse<Vertex>(entries + (gaps ? rows.neighbours.size() : 0));
  crew.over(scatter.parts(), 1, [&](std::uint64_t part, std::uint64_t) {
    give_turned(rows, first_of(part), first_of(part + 1), !gaps, scatter.writer(part, to));
  });
  return to;
}

}  // namespace

OwnedRows rows_of(EdgeList& edges, const Array<Vertex>& number, bool directed, Crew& crew) {
  const std::span<const EdgePiece> pieces = edges.pieces();
  const std::size_t parts = parts_of(crew);
  Scatter scatter(number.size(), parts);
  const auto for_pieces = [&](const auto& job) {
    crew.over(parts, 1, [&](std::uint64_t part, std::uint64_t) {
      const std::size_t first = pieces.size() * part / parts, last = pieces.size() * (part + 1) / parts;
      for (std::size_t i = first; i < last; ++i) job(part, pieces[i].list());
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
  Scatter scatter(rows.size(), parts_of(crew));
  Array<Vertex> neighbours = scatter_turned(rows, std::move(memory), false, scatter, crew);
  Array<std::uint64_t> offsets =
      join(neighbours, scatter, {Array<std::uint64_t>(rows.size() + 1), Array<Vertex>()}, crew);
  return {std::move(offsets), std::move(neighbours)};
}

OwnedRows both_sides(OwnedRows half, Array<Vertex> memory, Crew& crew) {
  Scatter scatter(half.size(), parts_of(crew));
  Array<Vertex> neighbours = scatter_turned(half, std::move(memory), true, scatter, crew);
  Array<std::uint64_t> offsets = join(neighbours, scatter, std::move(half), crew);
  return {std::move(offsets), std::move(neighbours)};
}

std::uint64_t count_self_loops(const OwnedRows& rows, Crew& crew) {
  std::atomic<std::uint64_t> loops = 0;
  crew.over(rows.size(), rows_a_piece, [&](std::uint64_t first, std::uint64_t last) {
    std::uint64_t here = 0;
    for (std::uint64_t v = first; v < last; ++v) {
      here += std::binary_search(rows.neighbours.data() + rows.offsets[v],
                                 rows.neighbours.data() + rows.offsets[v + 1], static_cast<Vertex>(v));
    }
    loops.fetch_add(here, std::memory_order_relaxed);
  });
  return loops;
}

}  // namespace gable::bench
