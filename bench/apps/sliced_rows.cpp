#include "bench/apps/sliced_rows.hpp"

#include <algorithm>
#include <numeric>

#include "bench/apps/graphs/laid_graph.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t window = 4096;  // rows that are sorted by their lengths

std::uint64_t vertices_of(const Rows& rows) {
  return rows.offsets.size() - 1;
}

std::uint64_t slices_of(const Rows& rows) {
  return (vertices_of(rows) + rows_of_slice - 1) / rows_of_slice;
}

// Calls part(first, last) for each window of vertices, with all threads.
template <class Part>
void over_windows(std::uint64_t vertices, Crew& crew, const Part& part) {
  crew.over((vertices + window - 1) / window, 1, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t w = first; w < last; ++w) part(w * window, std::min(vertices, (w + 1) * window));
  });
}

// The sorted rows of a slice are at most as much longer than the shortest as the next slice is shorter, so
// all padding of a window is less than eight times its longest row.
std::uint64_t most_entries(const Rows& rows) {
  std::uint64_t entries = rows.neighbours.size();
  for (std::uint64_t first = 0; first < vertices_of(rows); first += window) {
    std::uint64_t longest = 0;
    for (std::uint64_t v = first; v < std::min(vertices_of(rows), first + window); ++v)
      longest = std::max(longest, rows.degree(static_cast<Vertex>(v)));
    entries += rows_of_slice * longest;
  }
  return entries + Slices::readable;
}

}  // namespace

std::uint64_t SlicedRows::bytes(const Rows& rows) {
  return whole_pages((slices_of(rows) + 1) * sizeof(std::uint64_t)) +
         whole_pages(slices_of(rows) * rows_of_slice * (sizeof(Vertex) + sizeof(float))) +
         whole_pages(most_entries(rows) * sizeof(Vertex));
}

SlicedRows::SlicedRows(const GraphView& graph, std::span<std::byte> memory, Crew& crew) {
  const Rows& rows = graph.in;
  const std::uint64_t vertices = vertices_of(rows), slices = slices_of(rows), places = slices * rows_of_slice;
  auto* const offsets = reinterpret_cast<std::uint64_t*>(memory.data());
  auto* const of_place =
      reinterpret_cast<Vertex*>(memory.data() + whole_pages((slices + 1) * sizeof(std::uint64_t)));
  auto* const shares = reinterpret_cast<float*>(of_place + places);
  auto* const entries = reinterpret_cast<Vertex*>(reinterpret_cast<std::byte*>(of_place) +
                                                  whole_pages(places * (sizeof(Vertex) + sizeof(float))));
  // Places behind the last vertex belong to vertices that do not exist.
  std::iota(of_place + vertices, of_place + places, static_cast<Vertex>(vertices));
  over_windows(vertices, crew, [&](std::uint64_t first, std::uint64_t last) {
    std::iota(of_place + first, of_place + last, static_cast<Vertex>(first));
    std::stable_sort(of_place + first, of_place + last,
                     [&](Vertex a, Vertex b) { return rows.degree(a) > rows.degree(b); });
    for (std::uint64_t place = first; place < last; place += rows_of_slice)
      offsets[place / rows_of_slice + 1] = rows_of_slice * rows.degree(of_place[place]);
  });
  offsets[0] = 0;
  std::partial_sum(offsets, offsets + slices + 1, offsets);
  over_windows(vertices, crew, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t place = first; place < (last + rows_of_slice - 1) / rows_of_slice * rows_of_slice;
         ++place) {
      const std::uint64_t slice = place / rows_of_slice;
      const bool is_row = of_place[place] < vertices;
      const auto row = is_row ? rows.of(of_place[place]) : std::span<const Vertex>();
      const std::uint64_t neighbours = is_row ? graph.out.degree(of_place[place]) : 0;
      shares[place] = neighbours == 0 ? 1.0f : 1.0f / static_cast<float>(neighbours);
      Vertex* to = entries + offsets[slice] + place % rows_of_slice;
      const std::uint64_t steps = (offsets[slice + 1] - offsets[slice]) / rows_of_slice;
      for (std::uint64_t j = 0; j < steps; ++j, to += rows_of_slice)
        *to = j < row.size() ? row[j] : static_cast<Vertex>(vertices);
    }
  });
  std::fill_n(entries + offsets[slices], Slices::readable, 0);
  view_ = {{offsets, slices + 1}, {entries, offsets[slices]}, {of_place, places}, {shares, places}};
}

}  // namespace gable::bench
