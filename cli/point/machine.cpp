#include "cli/point/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/recorded_machine.hpp"
#include "points/policy.hpp"

namespace gable::cli {

std::set<int> KnownMachine::clusters() const {
  std::set<int> all;
  for (const auto& [cluster, unused] : threads) all.insert(cluster);
  return all;
}

KnownMachine known_machine(const std::string& folder) {
  KnownMachine machine;
  if (const std::optional<RecordedMachine> recorded = recorded_machine(folder)) {
    for (const machines::Cluster& cluster : recorded->clusters)
      machine.threads[cluster.index] = static_cast<int>(hardware_threads(cluster).size());
    for (const machines::Node& node : recorded->nodes) machine.nodes.push_back(node.os_index);
    std::sort(machine.nodes.begin(), machine.nodes.end());
  }
  if (!machine.threads.empty()) return machine;
  for (const model::Roof& roof : background_of(folder).roofs.roofs) machine.threads[roof.spec.cluster] = 0;
  return machine;
}

int known_cluster(const KnownMachine& machine, const std::string& named, const std::string& folder) {
  if (named.empty() || named == "all") return machine.threads.size() > 1 ? -1 : 0;
  const int cluster = read_as<int>(named).value_or(-1);
  if (cluster < 0 || (!machine.threads.empty() && !machine.threads.contains(cluster)))
    refuse_cluster(named, folder, machine.clusters());
  return cluster;
}

void require_node(const KnownMachine& machine, int node, const std::string& option,
                  const std::string& folder) {
  const auto is_it = [&](unsigned known) { return static_cast<int>(known) == node; };
  if (machine.nodes.empty() || std::any_of(machine.nodes.begin(), machine.nodes.end(), is_it)) return;
  throw Error::usage(fmt::format("{}: no memory node {}: {} has the {} {}", option, node, folder,
                                 plural(std::ssize(machine.nodes), "node"), fmt::join(machine.nodes, ", ")));
}

void require_threads(const KnownMachine& machine, int cluster, int threads, const std::string& folder) {
  int most = 0;
  for (const auto& [index, count] : machine.threads) {
    if (count == 0) return;
    if (cluster < 0 || index == cluster) most += count;
  }
  if (machine.threads.empty() || threads <= most) return;
  throw Error::usage(fmt::format("--threads {}: {} of {} has {}", threads,
                                 cluster < 0 ? "all" : fmt::format("cluster {}", cluster), folder,
                                 count_text(most, "hardware thread")));
}

void require_policy(const KnownMachine& machine, const std::string& policy) {
  constexpr unsigned most_nodes = 1024;  // of Linux
  std::vector<unsigned> nodes = machine.nodes;
  for (unsigned node = 0; machine.nodes.empty() && node < most_nodes; ++node) nodes.push_back(node);
  if (!policy.empty()) points::parse_policy(policy, nodes);
}

}  // namespace gable::cli
