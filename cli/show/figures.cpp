#include "cli/show/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "plots/charts/recorded.hpp"

namespace gable::cli {
namespace {

using model::Case;
using model::Roof;
using Wanted = std::function<bool(const Case&)>;

std::vector<Roof> bests(const ShownFolder& shown, const char* kind, const char* op, const Wanted& wanted) {
  return charts::best_of_each(shown.roofs.roofs, [&](const Roof& roof) {
    return roof.asked.kind == kind && (*op == '\0' || roof.asked.op == op) && wanted(roof.asked);
  });
}

std::string cluster_words(const ShownFolder& shown, int index) {
  std::string text = fmt::format("cluster {}", index);
  if (!shown.machine) return text;
  for (const RecordedMachine::Cluster& cluster : shown.machine->clusters) {
    if (cluster.index != index) continue;
    if (!cluster.kind.empty()) text += fmt::format(", {} cores", cluster.kind);
    if (cluster.nodes.empty()) continue;
    const std::vector<int> nodes(cluster.nodes.begin(), cluster.nodes.end());
    text += fmt::format(" (node{} {})", nodes.size() == 1 ? "" : "s", indices_text(nodes));
  }
  return text;
}

ShownLine line_of(const ShownFolder& shown, const std::string& words, const Wanted& wanted) {
  return {words, "GB/s", bests(shown, "bandwidth", "load", wanted), bests(shown, "latency", "", wanted)};
}

// Of the topology and of the roofs; a memory-side cache stands behind the others.
std::vector<std::string> levels_of(const ShownFolder& shown) {
  std::set<std::string> levels;
  if (shown.machine && shown.machine->caches) {
    for (const RecordedMachine::Cache& cache : *shown.machine->caches)
      levels.insert(fmt::format("L{}", cache.level));
  }
  for (const Roof& roof : shown.roofs.roofs) {
    const Case& asked = roof.asked;
    if ((asked.kind == "bandwidth" || asked.kind == "latency") && asked.level != "memory")
      levels.insert(asked.level);
  }
  return {levels.begin(), levels.end()};
}

// Of the roofs and of the topology.
std::vector<std::string> tiers_of_memory(const ShownFolder& shown) {
  std::set<std::string> tiers;
  if (shown.machine) {
    for (const RecordedMachine::Node& node : shown.machine->nodes) tiers.insert(node.tier);
  }
  for (const Roof& roof : shown.roofs.roofs) {
    if (roof.asked.level == "memory" && roof.asked.node >= 0 && roof.asked.pattern != "hybrid")
      tiers.insert(roof.asked.tier);
  }
  tiers.erase("");
  return {tiers.begin(), tiers.end()};
}

// Whether a cluster has a node of the tier for its own; a tier without nodes in machine.json counts as such.
bool is_local(const ShownFolder& shown, const std::string& tier) {
  bool any = false;
  if (!shown.machine) return true;
  for (const RecordedMachine::Node& node : shown.machine->nodes) {
    if (node.tier != tier) continue;
    any = true;
    for (const RecordedMachine::Cluster& cluster : shown.machine->clusters) {
      if (std::ranges::find(cluster.nodes, static_cast<unsigned>(node.os_index)) != cluster.nodes.end())
        return true;
    }
  }
  return !any;
}

bool any_figure(const ShownLine& line) {
  return !line.figures.empty() || !line.latencies.empty();
}

// The lines of a memory; without a figure none.
void add_memory(std::vector<ShownLine>& lines, const ShownFolder& shown, const std::string& name,
                const Wanted& wanted) {
  const auto with = [&](const char* pattern) {
    return [&wanted, pattern](const Case& asked) { return asked.pattern == pattern && wanted(asked); };
  };
  ShownLine local = line_of(shown, name + " loads, local", with("local"));
  if (!any_figure(local)) local = line_of(shown, name + " loads, remote", with("remote"));
  if (any_figure(local)) lines.push_back(local);
  ShownLine all = line_of(shown, name + " loads, all clusters busy", with("local_all"));
  if (any_figure(all)) lines.push_back(all);
}

}  // namespace

std::string indices_text(std::vector<int> indices) {
  std::ranges::sort(indices);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t end = i + 1;
    while (end < indices.size() && indices[end] == indices[end - 1] + 1) ++end;
    if (end - i < 3) end = i + 1;
    parts.push_back(end - i == 1 ? std::to_string(indices[i])
                                 : fmt::format("{} to {}", indices[i], indices[end - 1]));
    i = end;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

ShownMatrix matrix_of(const ShownFolder& shown) {
  const auto alone = [](const Case& asked) {
    return asked.level == "memory" && asked.node >= 0 &&
           (asked.pattern == "local" || asked.pattern == "remote");
  };
  ShownMatrix matrix;
  matrix.bandwidth = bests(shown, "bandwidth", "load", alone);
  matrix.latency = bests(shown, "latency", "", alone);
  std::set<int> clusters;
  std::map<int, std::string> nodes;
  for (const std::vector<Roof>* roofs : {&matrix.bandwidth, &matrix.latency}) {
    for (const Roof& roof : *roofs) {
      clusters.insert(roof.asked.cluster);
      nodes[roof.asked.node] = roof.asked.tier;
    }
  }
  for (const int cluster : clusters) matrix.clusters.push_back({cluster, cluster_words(shown, cluster)});
  for (const auto& [node, tier] : nodes)
    matrix.nodes.push_back({node, fmt::format("node {} {}", node, tier)});
  return matrix;
}

std::vector<ShownLine> lines_of(const ShownFolder& shown) {
  std::vector<ShownLine> lines;
  for (const char* precision : {"dp", "sp"}) {
    lines.push_back(
        {fmt::format("peak FMA {}", *precision == 'd' ? "DP" : "SP"),
         "GFlop/s",
         bests(shown, "flops", "fma", [&](const Case& asked) { return asked.precision == precision; }),
         {}});
  }
  for (const std::string& level : levels_of(shown)) {
    const auto of_level = [&](const Case& asked) { return asked.level == level; };
    ShownLine line = line_of(shown, level + " loads",
                             [&](const Case& asked) { return of_level(asked) && asked.pattern == "cache"; });
    const bool memory_side = !any_figure(line) && level.front() != 'L';
    memory_side ? add_memory(lines, shown, level, of_level) : lines.push_back(line);
  }
  for (const std::string& tier : tiers_of_memory(shown)) {
    const std::size_t before = lines.size();
    add_memory(lines, shown, tier,
               [&](const Case& asked) { return asked.level == "memory" && asked.tier == tier; });
    if (lines.size() == before)
      lines.push_back(
          {fmt::format("{} loads, {}", tier, is_local(shown, tier) ? "local" : "remote"), "GB/s", {}, {}});
  }
  return lines;
}

}  // namespace gable::cli
