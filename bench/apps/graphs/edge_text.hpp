#pragma once

// Edges from text: one per line, two whole numbers; the rest of the line is ignored.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/apps/graphs/edge_list.hpp"
#include "bench/apps/graphs/name_table.hpp"
#include "bench/apps/graphs/text_source.hpp"

namespace gable::bench {

struct EdgeText {
  EdgeList list;  ///< names as they are in the text
  std::vector<EdgePiece>
      numbered;     ///< numbers from `table`, in the memory of `list`; these edges are not in `list`
  NameTable table;  ///< used as soon as a name exceeds 32 bits
  std::uint64_t edges = 0;
  std::uint64_t largest = 0;  ///< name of a vertex
  std::uint64_t lines = 0;

  bool empty() const { return edges == 0; }
};

/// Throws that the vertices cannot be numbered with 32 bits.
[[noreturn]] void too_many_vertices(const std::string& path);

/// Reads the rest of `source` into `text` with all threads. Numbers are separated by blanks, tabs, commas or
/// semicolons. Empty lines and lines that begin with # or % are skipped. `first_line` is the number of the
/// next line. With `limit`, names are from 1 to that limit. Throws Error::format "file:line: ...".
void read_edge_text(EdgeText& text, TextSource& source, std::uint64_t first_line,
                    std::optional<std::uint64_t> limit, Crew& crew);

}  // namespace gable::bench
