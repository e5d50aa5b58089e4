#pragma once

// Graphs from a few numbers, the same ones on every machine and with any number of threads.

#include <cstdint>
#include <string>

#include "bench/apps/graphs/graph.hpp"

namespace gable::bench {

/// "kron:20" and "uniform:20": 2^20 vertices and 16 edges for each; "kron:20:8": 8 edges each;
/// "kron:pokec", "uniform:pokec": vertices, edges and direction of a graph of table 3.1 of the PMEM graph
/// thesis (facebook, epinions, pokec, livejournal, orkut). Kronecker graphs are drawn with Graph500's
/// A = 0.57, B = C = 0.19. Empty where `name` is no such description.
bool is_generated(const std::string& name);

/// The one name of what may be described in two ways: "kron:20" of "kron:20:16" too.
std::string generated_name(const std::string& name);

/// Memory that the generation takes at its peak, about. Throws as generate_graph.
std::uint64_t bytes_to_generate(const std::string& name);

/// Throws GraphError for a description that cannot be understood.
Graph generate_graph(const std::string& name, Crew& crew);

}  // namespace gable::bench
