#include "cli/point/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/errors.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "model/json/fields.hpp"
#include "points/policy.hpp"

namespace gable::cli {
namespace {

void read_machine(const nlohmann::json& root, const std::string& path, KnownMachine& machine) {
  const model::Fields object(root, path + ":1");
  const auto objects = [&](const char* name) {
    return object.has(name) && root[name].is_array() ? root[name] : nlohmann::json::array();
  };
  for (const nlohmann::json& cluster : objects("clusters")) {
    const bool listed = cluster.contains("pus") && cluster["pus"].is_array();
    machine.threads[model::Fields(cluster, path + ":1: clusters").integer("index")] =
        listed ? static_cast<int>(cluster["pus"].size()) : 0;
  }
  for (const nlohmann::json& node : objects("nodes"))
    machine.nodes.push_back(
        static_cast<unsigned>(model::Fields(node, path + ":1: nodes").integer("os_index")));
  std::sort(machine.nodes.begin(), machine.nodes.end());
}

}  // namespace

std::set<int> KnownMachine::clusters() const {
  std::set<int> all;
  for (const auto& [cluster, unused] : threads) all.insert(cluster);
  return all;
}

KnownMachine known_machine(const std::string& folder) {
  KnownMachine machine;
  if (const auto root = machine_json_of(folder))
    read_machine(*root, file_in(folder, "machine.json"), machine);
  if (!machine.threads.empty()) return machine;
  for (const model::Roof& roof : background_of(folder).roofs.roofs) machine.threads[roof.asked.cluster] = 0;
  return machine;
}

int known_cluster(const KnownMachine& machine, const std::string& asked, const std::string& folder) {
  if (asked.empty() || asked == "all") return machine.threads.size() > 1 ? -1 : 0;
  int cluster = -1;
  const char* const end = asked.data() + asked.size();
  const auto [stop, error] = std::from_chars(asked.data(), end, cluster);
  const bool number = error == std::errc{} && stop == end && cluster >= 0;
  if (!number || (!machine.threads.empty() && !machine.threads.contains(cluster)))
    refuse_cluster(asked, folder, machine.clusters());
  return cluster;
}

void require_node(const KnownMachine& machine, int node, const std::string& option,
                  const std::string& folder) {
  const auto is_it = [&](unsigned known) { return static_cast<int>(known) == node; };
  if (machine.nodes.empty() || std::any_of(machine.nodes.begin(), machine.nodes.end(), is_it)) return;
  throw UsageError(fmt::format("{}: no memory node {}: {} has the node{} {}", option, node, folder,
                               machine.nodes.size() == 1 ? "" : "s", fmt::join(machine.nodes, ", ")));
}

void require_threads(const KnownMachine& machine, int cluster, int threads, const std::string& folder) {
  int most = 0;
  for (const auto& [index, count] : machine.threads) {
    if (count == 0) return;
    if (cluster < 0 || index == cluster) most += count;
  }
  if (machine.threads.empty() || threads <= most) return;
  throw UsageError(fmt::format("--threads {}: {} of {} has {} hardware thread{}", threads,
                               cluster < 0 ? "all" : fmt::format("cluster {}", cluster), folder, most,
                               most == 1 ? "" : "s"));
}

void require_policy(const KnownMachine& machine, const std::string& policy) {
  constexpr unsigned most_nodes = 1024;  // of Linux
  std::vector<unsigned> nodes = machine.nodes;
  for (unsigned node = 0; machine.nodes.empty() && node < most_nodes; ++node) nodes.push_back(node);
  if (!policy.empty()) points::parse_policy(policy, nodes);
}

}  // namespace gable::cli
