#pragma once

// Maps the names of vertices in a file to consecutive numbers.

#include "bench/apps/graphs/edge_text.hpp"

namespace gable::bench {

/// Renames the edges so that the occurring vertices have the numbers 0 to n - 1 in the order of their names;
/// returns the names. Consumes `text.table`. Throws Error::format, which names `path`, if there are more
/// vertices than 32 bits can number.
Array<std::uint64_t> number_vertices(EdgeText& text, const std::string& path, Crew& crew);

}  // namespace gable::bench
