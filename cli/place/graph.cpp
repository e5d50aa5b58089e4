#include "cli/place/graph.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/reading.hpp"
#include "base/words.hpp"
#include "bench/apps/graphs/generate.hpp"
#include "bench/apps/graphs/graph_file.hpp"
#include "model/json/placed.hpp"

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
  for (const model::Placed& placed : model::read_placements(path)) {
    if (placed.graph != name || placed.vertices == 0) continue;
    if (placed.vertices == graph.vertices() && placed.edges == graph.edges) continue;
    throw Error::usage(fmt::format(
        "--graph: {} has placements of a different graph {} ({} vertices, {} edges; this one: {} and {}): "
        "rename the file, or use another folder",
        path, name, placed.vertices, placed.edges, graph.vertices(), graph.edges));
  }
}

}  // namespace gable::cli
