#pragma once

// A graph's rows in slices of eight, for loops that sum eight rows at once: SELL-C-sigma (Kreutzer and
// others, SIAM Journal on Scientific Computing 36, 2014) with C = 8 and sigma = 4096. The rows of a slice
// have similar lengths, so that no branch depends on the length of a single row, and few entries are padding.

#include <cstddef>
#include <span>

#include "bench/apps/graphs/graph.hpp"
#include "bench/threads/crew.hpp"

namespace gable::bench {

inline constexpr std::size_t rows_of_slice = 8;

/// Entry j of the row in place r of slice s is entries[offsets[s] + 8 j + r]; |V| is padding. The row in
/// place r of slice s belongs to vertices[8 s + r], where |V| or more is none.
struct Slices {
  static constexpr std::size_t readable = 128;  ///< entries behind the last one, so that a loop may prefetch

  std::span<const std::uint64_t> offsets;  ///< one more than slices
  std::span<const Vertex> entries;
  std::span<const Vertex> vertices;
  std::span<const float> shares;  ///< of a vertex's rank, for each of its out-neighbours; like `vertices`

  bool empty() const { return vertices.empty(); }
};

class SlicedRows {
 public:
  SlicedRows() = default;
  /// Copies the in-rows into `memory` of at least bytes(graph.in), page-aligned, with all threads.
  SlicedRows(const GraphView& graph, std::span<std::byte> memory, Crew& crew);

  /// Enough for any lengths of rows like these; what is not needed is not touched.
  static std::uint64_t bytes(const Rows& rows);
  const Slices& view() const { return view_; }

 private:
  Slices view_;
};

}  // namespace gable::bench
