#pragma once

// Edges from text: one a line, two whole numbers, whatever follows them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/apps/graphs/edge_list.hpp"
#include "bench/apps/graphs/name_table.hpp"
#include "bench/apps/graphs/text_source.hpp"

namespace gable::bench {

struct EdgeText {
  EdgeList list;                    ///< names as they are in the text
  std::vector<EdgePiece> numbered;  ///< numbers from `table`, in the memory of `list`, which lacks them
  NameTable table;                  ///< in use once there is a name beyond 32 bits
  std::uint64_t edges = 0;
  std::uint64_t largest = 0;  ///< name of a vertex
  std::uint64_t lines = 0;

  bool empty() const { return edges == 0; }
};

/// More vertices than 32 bits number.
[[noreturn]] void too_many_vertices(const std::string& path);

/// Reads what is still to be read of `source` into `text`, by all threads. Numbers are separated by blanks,
/// tabs, commas or semicolons; empty lines and lines that begin with # or % are left out. `first_line` is the
/// number of the next line. With `limit`, names go from 1 to that. Throws GraphError "file:line: ...".
void read_edge_text(EdgeText& text, TextSource& source, std::uint64_t first_line,
                    std::optional<std::uint64_t> limit, Crew& crew);

}  // namespace gable::bench
