#pragma once

// All workloads. To add one, write its file, its maker here, and its line in workload.cpp.

#include <memory>

#include "bench/apps/workload.hpp"

namespace gable::bench {

std::unique_ptr<Workload> make_pagerank(const Graph& graph, const WorkloadOptions& options);
std::unique_ptr<Workload> make_bfs(const Graph& graph, const WorkloadOptions& options);

}  // namespace gable::bench
