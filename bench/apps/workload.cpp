#include "bench/apps/workload.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace gable::bench {

namespace {

struct Entry {
  const char* name;
  std::unique_ptr<Workload> (*make)(const Graph&, const WorkloadOptions&);
};

constexpr Entry workloads[] = {{"pagerank", make_pagerank}, {"bfs", make_bfs}};

}  // namespace

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const Entry& entry : workloads) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Workload> make_workload(const std::string& name, const Graph& graph,
                                        const WorkloadOptions& options) {
  const auto entry = std::ranges::find(workloads, name, &Entry::name);
  if (entry == std::end(workloads)) throw Error::usage("no workload '" + name + "'");
  return entry->make(graph, options);
}

}  // namespace gable::bench
