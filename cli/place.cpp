// gable place DIR: a workload under every placement of its parts over the tiers.

#include <fmt/core.h>

#include <unistd.h>
#include <algorithm>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/apps/generate.hpp"
#include "bench/apps/graph_file.hpp"
#include "bench/apps/place.hpp"
#include "bench/plan.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/place_table.hpp"
#include "cli/recording.hpp"
#include "model/format.hpp"
#include "model/placed_json.hpp"

namespace gable::cli {

namespace {

struct Arguments {
  std::string folder, workload, graph, dump;
  std::vector<std::string> tiers;
  bool directed = false, undirected = false, json = false, quiet = false;
  int threads = 0;
  bench::PlaceOptions options;
  bench::WorkloadOptions workload_options;
};

std::vector<unsigned> cpus_of(const machines::Machine& machine, const Arguments& arguments) {
  if (arguments.options.cluster >= static_cast<int>(machine.clusters.size()))
    throw UsageError(fmt::format("--cluster {}: this machine has {} clusters, from 0",
                                 arguments.options.cluster, machine.clusters.size()));
  const machines::Cluster& cluster = machine.clusters[static_cast<std::size_t>(arguments.options.cluster)];
  const std::vector<unsigned> all = bench::pus_of(cluster, 0, arguments.options.smt);
  if (static_cast<std::size_t>(arguments.threads) > all.size())
    throw UsageError(fmt::format("--threads {}: the cluster has room for {}{}", arguments.threads, all.size(),
                                 arguments.options.smt ? "" : ", one a core (--smt: one a hardware thread)"));
  return bench::pus_of(cluster, arguments.threads, arguments.options.smt);
}

// Those that were named, or one for each kind of memory that the machine has.
std::vector<bench::Tier> tiers_of(const machines::Machine& machine, const Arguments& arguments) {
  std::vector<std::string> names = arguments.tiers;
  if (names.empty()) {
    for (const machines::Node& node : machine.nodes) {
      if (node.bytes > 0 && std::ranges::find(names, node.tier) == names.end()) names.push_back(node.tier);
    }
  }
  std::vector<bench::Tier> tiers;
  for (const std::string& name : names) {
    try {
      tiers.push_back(bench::find_tier(name, machine, arguments.options.cluster));
    } catch (const bench::TierError& error) {
      throw UsageError(fmt::format("--tiers {}: {}", name, error.what()));
    }
  }
  return tiers;
}

bench::Graph graph_of(const Arguments& arguments, const machines::Host& host, bench::Crew& crew) {
  std::optional<bool> directed;
  if (arguments.directed || arguments.undirected) directed = arguments.directed;
  if (bench::is_generated(arguments.graph)) {
    const std::uint64_t needed = bench::bytes_to_generate(arguments.graph);
    if (host.memory_available_bytes && needed > *host.memory_available_bytes) {
      throw UsageError(fmt::format("--graph {}: takes about {:.1f} GiB, and {:.1f} are available",
                                   arguments.graph, static_cast<double>(needed) / (1 << 30),
                                   static_cast<double>(*host.memory_available_bytes) / (1 << 30)));
    }
    return bench::generate_graph(arguments.graph, crew);
  }
  return bench::read_graph(arguments.graph, directed, crew);
}

void say_graph(const bench::Graph& graph, const Arguments& arguments) {
  std::string more;
  if (graph.duplicates > 0) more += fmt::format(", {} named again and left out", graph.duplicates);
  if (graph.self_loops > 0) more += fmt::format(", {} of them self-loops", graph.self_loops);
  std::fprintf(stderr, "%s\n",
               fmt::format("{}: {} vertices, {} {} edges{}; {:.1f} MiB", arguments.graph, graph.vertices(),
                           graph.edges, graph.directed ? "directed" : "undirected", more,
                           static_cast<double>(graph.bytes()) / (1 << 20))
                   .c_str());
}

// "vertex value" by the names of the file, ascending.
void dump(const bench::Graph& graph, const bench::Workload& workload, const std::string& path) {
  const bench::VertexValues values = workload.values();
  std::vector<std::pair<std::uint64_t, double>> lines;
  for (std::size_t v = 0; v < values.size(); ++v) lines.emplace_back(graph.ids[v], values[v]);
  std::ranges::sort(lines);
  std::string text;
  for (const auto& [name, value] : lines)
    fmt::format_to(std::back_inserter(text), "{} {:.9g}\n", name, value);
  model::write_whole(path, text);
}

// All variants in all placements, each recorded as soon as it is measured.
class Campaign {
 public:
  Campaign(const Arguments& arguments, const bench::Graph& graph, std::vector<bench::Tier> tiers,
           bench::Crew& crew)
      : arguments_(arguments),
        graph_(graph),
        tiers_(std::move(tiers)),
        crew_(crew),
        workload_(bench::make_workload(arguments.workload, graph, arguments.workload_options)) {}

  std::vector<model::Placed> run(const std::string& path) {
    std::vector<model::Placed> all;
    for (const std::string& variant : workload_->variants()) {
      const std::size_t parts = workload_->parts(variant, crew_.threads()).size();
      for (const auto& placement : bench::placements(tiers_.size(), parts)) {
        if (stop_requested()) return all;
        std::vector<const bench::Tier*> where;
        for (const std::size_t tier : placement) where.push_back(&tiers_[tier]);
        all.push_back(one(variant, where));
        if (!stop_requested()) model::append_line(path, model::placed_to_line(all.back()));
      }
    }
    return all;
  }

 private:
  model::Placed one(const std::string& variant, const std::vector<const bench::Tier*>& where) {
    int made = 0;
    const auto after_run = [&] {  // verified, and still where it was laid
      show(variant, where, ++made);
      if (dumped_ || arguments_.dump.empty()) return;
      dump(graph_, *workload_, arguments_.dump);
      dumped_ = true;
    };
    const model::Placed placed = bench::place(*workload_, graph_, variant, where, arguments_.options, crew_,
                                              after_run, stop_requested());
    if (!arguments_.quiet && isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
    return placed;
  }

  void show(const std::string& variant, const std::vector<const bench::Tier*>& where, int made) const {
    if (arguments_.quiet || isatty(STDERR_FILENO) == 0) return;
    std::string names;
    for (const bench::Tier* tier : where) names += (names.empty() ? "" : ", ") + tier->name;
    std::fprintf(stderr, "\r\033[K%s",
                 fmt::format("{} {} in {}: run {} of {}", arguments_.workload, variant, names, made,
                             arguments_.options.runs)
                     .c_str());
  }

  const Arguments& arguments_;
  const bench::Graph& graph_;
  std::vector<bench::Tier> tiers_;
  bench::Crew& crew_;
  std::unique_ptr<bench::Workload> workload_;
  bool dumped_ = false;
};

void print_json(const std::vector<model::Placed>& all) {
  std::string text = "{\"schema\":1,\"placements\":[";
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + model::placed_to_line(all[i]);
  fmt::print("{}\n]}}\n", text);
}

void place(Arguments arguments) {
  const machines::Machine machine = machines::this_machine();
  if (!machine.is_this_host)
    throw UsageError("HWLOC_XMLFILE or HWLOC_SYNTHETIC shows another machine than this one: unset it");
  const std::vector<unsigned> cpus = cpus_of(machine, arguments);
  std::vector<bench::Tier> tiers = tiers_of(machine, arguments);
  const machines::Host host = machines::this_host();
  const Recording recording(arguments.folder, machine, host);
  bench::Team team;
  bench::Crew crew(team, cpus);
  stop_requested();
  std::vector<model::Placed> all;
  try {
    const bench::Graph graph = graph_of(arguments, host, crew);
    say_graph(graph, arguments);
    arguments.options.graph = std::filesystem::path(arguments.graph).filename();
    all = Campaign(arguments, graph, std::move(tiers), crew).run(arguments.folder + "/placements.jsonl");
  } catch (const bench::GraphError& error) {
    throw UsageError(error.what());
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(arguments.graph + ": not enough memory for this graph");
  }
  if (arguments.json) {
    print_json(all);
  } else {
    std::fputs(place_table(all).c_str(), stdout);
  }
  if (stop_requested())
    throw std::runtime_error("interrupted; what was measured is kept in " + arguments.folder +
                             "/placements.jsonl");
}

}  // namespace

void define_place(CLI::App& command) {
  const auto arguments = std::make_shared<Arguments>();
  bench::WorkloadOptions& workload = arguments->workload_options;
  command
      .add_option("DIR", arguments->folder, "folder of the recorded machine; placements.jsonl is added to")
      ->required();
  command.add_option("--bench", arguments->workload, "what to run: pagerank or bfs")
      ->required()
      ->check(CLI::IsMember(bench::workload_names()));
  command
      .add_option(
          "--graph", arguments->graph,
          "an edge list (SNAP's), Matrix Market or GAP's .sg, any of them gzipped; or kron:20, uniform:20, "
          "kron:20:16 (logarithm of the vertices, edges of each), kron:pokec (facebook, epinions, pokec, "
          "livejournal, orkut)")
      ->required();
  command
      .add_option("--tiers", arguments->tiers,
                  "where the parts may lie: DRAM, HBM, NVM, CXL, node:N, a folder or new file (DAX or not), "
                  "memkind:KIND; default: one for each kind of memory this machine has")
      ->delimiter(',');
  auto* directed = command.add_flag("--directed", arguments->directed, "edges of the file have a direction");
  command
      .add_flag("--undirected", arguments->undirected, "edges of the file have none (default of edge lists)")
      ->excludes(directed);
  command.add_option("--cluster", arguments->options.cluster, "whose threads")->check(CLI::NonNegativeNumber);
  command.add_option("--threads", arguments->threads, "how many; default: one per core")
      ->check(CLI::Range(1, 1 << 20));
  command.add_flag("--smt", arguments->options.smt, "one thread per hardware thread instead of per core");
  command.add_option("--runs", arguments->options.runs, "of every variant in every placement")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--iterations", workload.iterations, "pagerank: iterations of a run")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command
      .add_option("--ranks", workload.ranks, "pagerank: how many ranks at once, one variant each (1 to 64)")
      ->delimiter(',');
  command.add_option("--damping", workload.damping, "pagerank: damping factor of the first rank")
      ->capture_default_str();
  command.add_option("--source", workload.source,
                     "bfs: start here every time; default: a new vertex for every run");
  command.add_option(
      "--dump", arguments->dump,
      "write 'vertex value' lines of the first run there: ranks, or depths with -1 for what was not reached");
  command.add_flag("--json", arguments->json, "print the records instead of the table");
  command.add_flag("--quiet", arguments->quiet, "no progress");
  command.callback([arguments] { place(*arguments); });
}

}  // namespace gable::cli
