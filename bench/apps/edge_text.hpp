#pragma once

// Edges from text: one a line, two whole numbers, whatever follows them.

#include <cstdint>
#include <optional>
#include <vector>

#include "bench/apps/edge_list.hpp"
#include "bench/apps/text_source.hpp"

namespace gable::bench {

/// Names beyond 32 bits.
struct WideEdge {
  std::uint64_t from, to;
};

struct EdgeText {
  EdgeList narrow;                          ///< names as they are in the text
  std::vector<std::vector<WideEdge>> wide;  ///< edges with a name that needs more than 32 bits
  std::uint64_t edges = 0;
  std::uint64_t largest = 0;  ///< name of a vertex
  std::uint64_t lines = 0;

  bool empty() const { return edges == 0; }
};

/// What is still to be read of `source`, by all threads. Numbers are separated by blanks, tabs, commas or
/// semicolons; empty lines and lines that begin with # or % are left out. `first_line` is the number of the
/// next line. With `limit`, names go from 1 to that. Throws GraphError "file:line: ...".
EdgeText read_edge_text(TextSource& source, std::uint64_t first_line, std::optional<std::uint64_t> limit,
                        Crew& crew);

}  // namespace gable::bench
