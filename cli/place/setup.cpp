#include "cli/place/setup.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/reading.hpp"
#include "base/words.hpp"
#include "bench/apps/graphs/generate.hpp"
#include "bench/apps/graphs/graph_file.hpp"
#include "bench/plan/plan.hpp"
#include "model/json/lines.hpp"
#include "model/records/placed.hpp"

namespace gable::cli {

namespace {

bench::Graph generate(const std::string& recipe, const machines::Host& host, bench::Crew& crew) {
  const std::uint64_t needed = bench::bytes_to_generate(recipe);
  if (host.memory_available_bytes && needed > *host.memory_available_bytes) {
    throw Error::usage(fmt::format("--graph {}: takes about {}, and {} are available", recipe,
                                   bytes_text(needed), bytes_text(*host.memory_available_bytes)));
  }
  return bench::generate_graph(recipe, crew);
}

void say(const std::string& source, const bench::Graph& graph) {
  const std::string loops =
      graph.self_loops > 0
          ? fmt::format(" ({})", count_text(static_cast<std::int64_t>(graph.self_loops), "self-loop"))
          : "";
  const std::string duplicates =
      graph.duplicates > 0
          ? fmt::format(", {} left out", count_text(static_cast<std::int64_t>(graph.duplicates), "duplicate"))
          : "";
  fmt::print(stderr, "{}: {} vertices, {} {} edges{}{}; {:.1f} MiB\n", source, graph.vertices(), graph.edges,
             graph.directed ? "directed" : "undirected", loops, duplicates,
             static_cast<double>(graph.bytes()) / MiB);
}

std::string base_name(const std::string& source) {
  return bench::is_generated(source) ? bench::generated_name(source)
                                     : std::filesystem::path(source).filename().string();
}

}  // namespace

bench::Graph read_graph(const PlaceGraph& options, const machines::Host& host, bench::Crew& crew) {
  std::optional<bool> directed;
  if (options.directed || options.undirected) directed = options.directed;
  const std::string& source = options.source;
  bench::Graph graph = bench::is_generated(source)
                           ? generate(source, host, crew)
                           : reading(source, [&] { return bench::read_graph(source, directed, crew); });
  say(options.source, graph);
  return graph;
}

std::string graph_name(const PlaceGraph& options, const bench::Graph& graph) {
  const std::string name = base_name(options.source);
  if (graph.directed == graph.directed_by_itself) return name;
  return name + (graph.directed ? "-directed" : "-undirected");
}

bool is_graph_of(const std::string& name, const std::string& source) {
  const std::string base = base_name(source);
  return name == base || name == base + "-directed" || name == base + "-undirected";
}

void require_same_graph(const std::string& path, const std::string& name, const bench::Graph& graph) {
  for (const model::Placed& placed : model::read_lines<model::Placed>(path)) {
    if (placed.graph != name || placed.vertices == 0) continue;
    if (placed.vertices == graph.vertices() && placed.edges == graph.edges) continue;
    throw Error::usage(fmt::format(
        "--graph: {} has placements of a different graph {} ({} vertices, {} edges; this one: {} and {}): "
        "rename the file, or use another folder",
        path, name, placed.vertices, placed.edges, graph.vertices(), graph.edges));
  }
}

const machines::Cluster& own_cluster(const machines::Machine& machine, int cluster) {
  if (cluster >= static_cast<int>(machine.clusters.size()))
    throw Error::usage(
        fmt::format("--cluster {}: this machine has {} clusters, from 0", cluster, machine.clusters.size()));
  return machine.clusters[static_cast<std::size_t>(cluster)];
}

std::vector<PlaceTeam> place_teams(const machines::Machine& machine, int cluster,
                                   const std::vector<int>& threads, const std::string& smt) {
  const machines::Cluster& home = own_cluster(machine, cluster);
  const std::size_t cores = bench::pus_of(home, 0, false).size(), all = bench::pus_of(home, 0, true).size();
  const std::size_t room = smt == "no" ? cores : all;
  std::vector<PlaceTeam> teams;
  for (const bool with_smt : {false, true}) {
    if (smt != "both" && with_smt != (smt == "yes")) continue;
    for (const int count : threads) {
      if (static_cast<std::size_t>(count) > room)
        throw Error::usage(fmt::format("--threads {}: the cluster has room for {}{}", count, room,
                                       smt == "no" ? ", one per core (--smt: one per hardware thread)" : ""));
      if (!with_smt && static_cast<std::size_t>(count) > cores) continue;
      PlaceTeam team{with_smt, bench::pus_of(home, count, with_smt), {}};
      if (with_smt && all == cores) team.skip = {model::NoteCode::no_second_threads_in, {double(cluster)}};
      const auto same = [&](const PlaceTeam& other) {
        return other.smt == team.smt && other.cpus == team.cpus;
      };
      if (std::ranges::none_of(teams, same)) teams.push_back(std::move(team));
    }
  }
  return teams;
}

std::vector<bench::Tier> tiers_of(const machines::Machine& machine, std::vector<std::string> names,
                                  int cluster) {
  if (names.empty()) {
    for (const machines::Node& node : machine.nodes) {
      if (node.bytes > 0) add_once(names, name_of(node.tier));
    }
  }
  std::vector<bench::Tier> tiers;
  for (const std::string& name : names) {
    if (std::ranges::find(tiers, name, &bench::Tier::name) != tiers.end())
      throw Error::usage(fmt::format("--tiers {}: named twice", name));
    try {
      tiers.push_back(bench::find_tier(name, machine, cluster));
    } catch (const Error& error) {
      throw Error::usage(fmt::format("--tiers {}: {}", name, error.what()));
    }
  }
  return tiers;
}

}  // namespace gable::cli
