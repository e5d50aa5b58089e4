#include "cli/compare/facts.hpp"

#include <fmt/format.h>

#include <tuple>

#include "base/lists.hpp"
#include "base/words.hpp"

namespace gable::cli {
namespace {

std::string clusters_fact(const RecordedMachine& machine) {
  std::string text;
  for (std::size_t i = 0; i < machine.clusters.size();) {
    const auto sizes = [&](std::size_t cluster) {
      const machines::Cluster& of = machine.clusters[cluster];
      return std::tuple(of.cores.size(), hardware_threads(of).size(), of.kind);
    };
    const auto [cores, pus, kind] = sizes(i);
    std::size_t end = i;
    while (end < machine.clusters.size() && sizes(end) == sizes(i)) ++end;
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ",
                        count_text(static_cast<std::int64_t>(end - i), "cluster"),
                        count_text(static_cast<std::int64_t>(cores), kind.empty() ? "core" : kind + " core"));
    if (pus > cores) text += fmt::format(" ({} threads)", pus);
    i = end;
  }
  return text;
}

std::string caches_fact(const RecordedMachine& machine) {
  if (machine.caches.empty()) return "?";
  return joined(machine.caches, [](const machines::Cache& cache) {
    return fmt::format("L{} {} × {}", cache.level, cache.count, bytes_text(cache.bytes));
  });
}

// One fact for each node, so that the one that changed is named.
void add_nodes(Side& side) {
  for (const machines::Node& node : side.shown.machine->nodes) {
    std::string text = name_of(node.tier);
    if (node.bytes > 0) text += " " + bytes_text(node.bytes);
    if (node.memory_side_cache_bytes > 0)
      text += fmt::format(", behind a cache of {}", bytes_text(node.memory_side_cache_bytes));
    side.facts.push_back({"hardware", fmt::format("node {}", node.os_index), text, true});
  }
}

}  // namespace

void add_facts(Side& side) {
  if (!side.shown.machine) return;
  const RecordedMachine& machine = *side.shown.machine;
  for (const Fact& fact : machine.facts) {
    side.facts.push_back(fact);
    if (fact.name != "CPU") continue;
    side.facts.push_back({"hardware", "clusters", clusters_fact(machine)});
    side.facts.push_back({"hardware", "caches", caches_fact(machine)});
    add_nodes(side);
  }
}

}  // namespace gable::cli
