#pragma once

// A graph's rows cut by columns, so that the vertices that one block reads at random fit into a cache.

#include <cstddef>
#include <span>
#include <vector>

#include "bench/apps/graphs/graph.hpp"
#include "bench/threads/crew.hpp"

namespace gable::bench {

/// How many blocks are worth trying if every vertex has `bytes_each` bytes: as many as make the vertices of a
/// block fit into the second-level cache, but rows keep 8 entries on average. 1: none are.
std::size_t useful_column_blocks(const Rows& rows, std::uint64_t bytes_each);

/// Block b contains the entries b * width ... (b + 1) * width - 1 of all rows, where width is |V| / blocks,
/// rounded up.
class ColumnBlocks {
 public:
  ColumnBlocks() = default;
  /// Cuts the rows into `memory` of at least bytes(rows, blocks), page-aligned, with all threads.
  ColumnBlocks(const Rows& rows, std::size_t blocks, std::span<std::byte> memory, Crew& crew);

  static std::uint64_t bytes(const Rows& rows, std::size_t blocks);
  std::span<const Rows> blocks() const { return blocks_; }

 private:
  std::vector<Rows> blocks_;
};

}  // namespace gable::bench
