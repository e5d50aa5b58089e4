#pragma once

// From the names of vertices in a file to numbers without gaps.

#include "bench/apps/graphs/edge_text.hpp"

namespace gable::bench {

/// Renames the edges so that the vertices that occur have the numbers 0 to n - 1 in the order of their names;
/// gives the names. `text.table` is used up. Throws GraphError for more vertices than 32 bits number;
/// `path` is for that.
Array<std::uint64_t> number_vertices(EdgeText& text, const std::string& path, Crew& crew);

}  // namespace gable::bench
