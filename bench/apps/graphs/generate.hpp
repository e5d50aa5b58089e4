#pragma once

// Generated graphs, which are the same on every machine and with any number of threads.

#include <cstdint>
#include <string>

#include "bench/apps/graphs/graph.hpp"

namespace gable::bench {

/// "kron:20" and "uniform:20": 2^20 vertices and 16 edges for each; "kron:20:8": 8 edges each;
/// "kron:pokec", "uniform:pokec": vertices, edges and direction of a graph of table 3.1 of the PMEM graph
/// thesis (facebook, epinions, pokec, livejournal, orkut). Kronecker graphs are drawn with Graph500's
/// A = 0.57, B = C = 0.19. Empty where `name` is no such description.
bool is_generated(const std::string& name);

/// The canonical form of a description: "kron:20" for "kron:20:16" too.
std::string generated_name(const std::string& name);

/// The approximate peak memory of the generation. Throws as generate_graph.
std::uint64_t bytes_to_generate(const std::string& name);

/// Throws Error::format for an invalid description.
Graph generate_graph(const std::string& name, Crew& crew);

}  // namespace gable::bench
