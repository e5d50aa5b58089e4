#include "bench/apps/column_blocks.hpp"

#include <unistd.h>

#include <algorithm>

#include "bench/apps/graphs/laid_graph.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t vertices_at_once = 4096;

// Writes, for each block, how many entries each row has in it, behind the row's place. Then it sums these up.
void set_offsets(const Rows& rows, std::uint64_t width, std::span<std::uint64_t* const> offsets, Crew& crew) {
  const std::uint64_t vertices = rows.offsets.size() - 1;
  crew.over(vertices, vertices_at_once, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t v = first; v < last; ++v) {
      for (std::uint64_t* const of_block : offsets) of_block[v + 1] = 0;
      for (const Vertex neighbour : rows.of(static_cast<Vertex>(v))) ++offsets[neighbour / width][v + 1];
    }
  });
  crew.over(offsets.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t b = first; b < last; ++b) {
      offsets[b][0] = 0;
      for (std::uint64_t v = 0; v < vertices; ++v) offsets[b][v + 1] += offsets[b][v];
    }
  });
}

}  // namespace

std::size_t useful_column_blocks(const Rows& rows, std::uint64_t bytes_each) {
  constexpr std::uint64_t usual_cache = 1u << 20, least_entries = 8;
  const std::uint64_t vertices = rows.offsets.size() - 1;
  if (vertices == 0) return 1;
  const long said = sysconf(_SC_LEVEL2_CACHE_SIZE);  // 0 where the C library does not know
  const std::uint64_t cache = said > 0 ? static_cast<std::uint64_t>(said) : usual_cache;
  const std::uint64_t to_fit = (vertices * bytes_each + cache - 1) / cache;
  const std::uint64_t most = rows.neighbours.size() / (least_entries * vertices);
  return std::max<std::uint64_t>(1, std::min(to_fit, most));
}

std::uint64_t ColumnBlocks::bytes(const Rows& rows, std::size_t blocks) {
  return blocks * whole_pages(rows.offsets.size() * sizeof(std::uint64_t)) +
         whole_pages(rows.neighbours.size() * sizeof(Vertex));
}

ColumnBlocks::ColumnBlocks(const Rows& rows, std::size_t blocks, std::span<std::byte> memory, Crew& crew) {
  const std::uint64_t vertices = rows.offsets.size() - 1, width = (vertices + blocks - 1) / blocks;
  const std::uint64_t of_offsets = whole_pages(rows.offsets.size() * sizeof(std::uint64_t));
  std::vector<std::uint64_t*> offsets;
  for (std::size_t b = 0; b < blocks; ++b)
    offsets.push_back(reinterpret_cast<std::uint64_t*>(memory.data() + b * of_offsets));
  set_offsets(rows, width, offsets, crew);
  std::vector<Vertex*> entries = {reinterpret_cast<Vertex*>(memory.data() + blocks * of_offsets)};
  for (std::size_t b = 0; b < blocks; ++b) {
    blocks_.push_back({{offsets[b], vertices + 1}, {entries[b], offsets[b][vertices]}});
    entries.push_back(entries[b] + offsets[b][vertices]);
  }
  crew.over(vertices, vertices_at_once, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t v = first; v < last; ++v) {
      const Vertex* from = rows.of(static_cast<Vertex>(v)).data();
      for (std::size_t b = 0; b < blocks; ++b) {  // a row is ascending, so its blocks follow one another
        const std::uint64_t count = offsets[b][v + 1] - offsets[b][v];
        std::copy_n(from, count, entries[b] + offsets[b][v]);
        from += count;
      }
    }
  });
}

}  // namespace gable::bench
