#include "cli/show/shown_roofs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/roofs/operation_latency.hpp"
#include "model/roofs/per_cycle.hpp"
#include "model/roofs/window.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::cli {
namespace {

using model::Case;
using model::Roof;
using Wanted = std::function<bool(const Case&)>;

std::vector<Roof> bests(const ShownFolder& shown, model::Kind kind, const model::Operation& op,
                        const Wanted& wanted) {
  return model::best_of_each(shown.roofs.roofs, [&](const Roof& roof) {
    return roof.spec.kind == kind && (op.empty() || roof.spec.op == op) && wanted(roof.spec);
  });
}

std::string cluster_words(const ShownFolder& shown, int index) {
  std::string text = fmt::format("cluster {}", index);
  const machines::Cluster* cluster = shown.machine ? shown.machine->cluster(index) : nullptr;
  if (cluster == nullptr) return text;
  if (!cluster->kind.empty()) text += fmt::format(", {} cores", cluster->kind);
  const std::vector<int> nodes(cluster->nodes.begin(), cluster->nodes.end());
  return nodes.empty()
             ? text
             : text + fmt::format(" ({} {})", plural(std::ssize(nodes), "node"), indices_text(nodes));
}

// Loads from `level`; `pattern` follows in words.
ShownLine line_of(const ShownFolder& shown, const std::string& level, const std::string& pattern,
                  const Wanted& wanted) {
  return {level + " loads" + pattern, "GB/s",
          bests(shown, model::Kind::bandwidth, model::operations::load, wanted),
          bests(shown, model::Kind::latency, {}, wanted), level + pattern};
}

// The levels of the topology and of the roofs; a memory-side cache stands behind the others.
std::vector<model::Level> levels_of(const ShownFolder& shown) {
  std::set<model::Level> levels;
  if (shown.machine) {
    for (const machines::Cache& cache : shown.machine->caches)
      levels.insert(model::Level::cache(cache.level));
  }
  for (const Roof& roof : shown.roofs.roofs) {
    const Case& spec = roof.spec;
    if ((spec.kind == model::Kind::bandwidth || spec.kind == model::Kind::latency) && !is_memory(spec.level))
      levels.insert(spec.level);
  }
  return {levels.begin(), levels.end()};
}

// The tiers of the topology and of the roofs.
std::vector<model::Tiers> tiers_of_memory(const ShownFolder& shown) {
  std::set<model::Tiers> tiers;
  if (shown.machine) {
    for (const machines::Node& node : shown.machine->nodes) tiers.insert(node.tier);
  }
  for (const Roof& roof : shown.roofs.roofs) {
    if (is_memory(roof.spec.level) && roof.spec.node >= 0 && makes_roof(roof.spec.pattern))
      tiers.insert(roof.spec.tier);
  }
  tiers.erase(model::Tiers());
  return {tiers.begin(), tiers.end()};
}

// Whether a cluster has a node of the tier for its own; a tier without nodes in machine.json counts as such.
bool is_local(const ShownFolder& shown, model::Tiers tier) {
  bool any = false;
  if (!shown.machine) return true;
  for (const machines::Node& node : shown.machine->nodes) {
    if (node.tier != tier) continue;
    any = true;
    for (const machines::Cluster& cluster : shown.machine->clusters)
      if (is_among(cluster.nodes, node.os_index)) return true;
  }
  return !any;
}

bool any_figure(const ShownLine& line) {
  return !line.figures.empty() || !line.latencies.empty();
}

// The figure is that of all threads, in the best size of pages.
ShownLine random_line(const ShownFolder& shown, const std::string& level, const std::string& pattern,
                      const Wanted& wanted) {
  return {fmt::format("{} random loads, {}", level, pattern),
          "M lines/s",
          bests(shown, model::Kind::random, {}, wanted),
          {},
          fmt::format("{} random, {}", level, pattern)};
}

// A time of a core, in nanoseconds and, where its clock is known, in cycles.
void add_time(const std::optional<Roof>& time, std::vector<Roof>& ns, std::vector<Roof>& cycles) {
  if (!time) return;
  ns.push_back(*time);
  if (time->clock_ghz <= 0) return;
  Roof& own = cycles.emplace_back(*time);
  own.unit = "cycles";
  for (double* value : {&own.value, &own.lo, &own.hi}) *value *= own.clock_ghz;
}

// The cost of a mispredicted branch.
void add_branches(std::vector<ShownLine>& lines, const ShownFolder& shown) {
  ShownLine ns{"mispredicted branch", "ns", {}, {}}, cycles{"mispredicted branch", "cycles", {}, {}};
  for (const int cluster : clusters_in(shown.roofs.roofs))
    add_time(model::mispredicted_branch(shown.roofs.roofs, cluster), ns.figures, cycles.figures);
  for (const ShownLine* line : {&ns, &cycles}) {
    if (!line->figures.empty()) lines.push_back(*line);
  }
}

void add_windows(std::vector<ShownLine>& lines, const ShownFolder& shown) {
  ShownLine instructions{"instruction window", "instructions", {}, {}},
      stores{"store window", "stores", {}, {}};
  for (const int cluster : clusters_in(shown.roofs.roofs)) {
    if (const auto window = model::instruction_window(shown.roofs.roofs, cluster))
      instructions.figures.push_back(*window);
    if (const auto window = model::store_window(shown.roofs.roofs, cluster))
      stores.figures.push_back(*window);
  }
  for (const ShownLine& line : {instructions, stores}) {
    if (any_figure(line)) lines.push_back(line);
  }
}

// The lines of a memory; without a figure none.
void add_memory(std::vector<ShownLine>& lines, const ShownFolder& shown, const std::string& name,
                const Wanted& wanted) {
  const auto with = [&](model::Pattern pattern) {
    return [&wanted, pattern](const Case& spec) { return spec.pattern == pattern && wanted(spec); };
  };
  ShownLine local = line_of(shown, name, ", local", with(model::Pattern::local));
  if (!any_figure(local)) local = line_of(shown, name, ", remote", with(model::Pattern::remote));
  if (any_figure(local)) lines.push_back(local);
  ShownLine all = line_of(shown, name, ", all clusters busy", with(model::Pattern::local_all));
  if (any_figure(all)) lines.push_back(all);
  for (const model::Pattern pattern : {model::Pattern::local, model::Pattern::remote}) {
    ShownLine random = random_line(shown, name, name_of(pattern), with(pattern));
    if (any_figure(random)) lines.push_back(random);
    if (any_figure(random)) break;
  }
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
  const auto alone = [](const Case& spec) {
    return is_memory(spec.level) && spec.node >= 0 && is_one_to_one(spec.pattern);
  };
  ShownMatrix matrix;
  matrix.bandwidth = bests(shown, model::Kind::bandwidth, model::operations::load, alone);
  matrix.latency = bests(shown, model::Kind::latency, {}, alone);
  std::set<int> clusters;
  std::map<int, std::string> nodes;
  for (const std::vector<Roof>* roofs : {&matrix.bandwidth, &matrix.latency}) {
    for (const Roof& roof : *roofs) {
      clusters.insert(roof.spec.cluster);
      nodes[roof.spec.node] = name_of(roof.spec.tier);
    }
  }
  for (const int cluster : clusters) matrix.clusters.push_back({cluster, cluster_words(shown, cluster)});
  for (const auto& [node, tier] : nodes)
    matrix.nodes.push_back({node, fmt::format("node {} {}", node, tier)});
  return matrix;
}

std::vector<ShownLine> operations_of(const ShownFolder& shown) {
  std::vector<ShownLine> lines;
  for (const model::LatencyClassRow& row : model::latency_class_rows) {
    ShownLine line{std::string(row.words), "ns", {}, {}};
    for (const int cluster : clusters_in(shown.roofs.roofs))
      add_time(model::operation_latency(shown.roofs.roofs, cluster, row.value), line.figures, line.latencies);
    if (any_figure(line)) lines.push_back(line);
  }
  return lines;
}

std::vector<ShownLine> lines_of(const ShownFolder& shown) {
  std::vector<ShownLine> lines;
  for (const model::Precision precision : {model::Precision::dp, model::Precision::sp}) {
    lines.push_back({fmt::format("peak FMA {}", model::row_of(precision).words),
                     "GFlop/s",
                     bests(shown, model::Kind::flops, model::operations::fma,
                           [&](const Case& spec) { return spec.precision == precision; }),
                     {}});
  }
  add_branches(lines, shown);
  add_windows(lines, shown);
  for (const model::Level& level : levels_of(shown)) {
    const auto of_level = [&](const Case& spec) { return spec.level == level; };
    ShownLine line = line_of(shown, level.name(), "",
                             [&](const Case& spec) { return of_level(spec) && is_in_cache(spec.pattern); });
    const bool memory_side = !any_figure(line) && is_side_cache(level);
    memory_side ? add_memory(lines, shown, level.name(), of_level) : lines.push_back(line);
  }
  for (const model::Tiers tier : tiers_of_memory(shown)) {
    const std::size_t before = lines.size();
    add_memory(lines, shown, name_of(tier),
               [&](const Case& spec) { return is_memory(spec.level) && spec.tier == tier; });
    if (lines.size() == before)
      lines.push_back({fmt::format("{} loads, {}", name_of(tier), is_local(shown, tier) ? "local" : "remote"),
                       "GB/s",
                       {},
                       {}});
  }
  return lines;
}

}  // namespace gable::cli
