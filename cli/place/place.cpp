// gable place DIR: a workload under every placement of its parts over the tiers.

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/log_file.hpp"
#include "bench/apps/graphs/generate.hpp"
#include "bench/apps/place.hpp"
#include "bench/plan/plan.hpp"
#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/new_folder.hpp"
#include "cli/output_file.hpp"
#include "cli/place/campaign.hpp"
#include "cli/place/graph.hpp"
#include "cli/place/memory/memory.hpp"
#include "cli/place/points.hpp"
#include "cli/place/quick_stop.hpp"
#include "cli/place/records.hpp"
#include "cli/place/teams.hpp"
#include "cli/place/tiers.hpp"
#include "cli/points_file.hpp"
#include "cli/recording.hpp"
#include "cli/validators.hpp"
#include "model/json/placed.hpp"

namespace gable::cli {

namespace {

struct PlaceArguments {
  std::string folder, workload, smt = "no";
  PlaceGraph graph;
  std::vector<std::string> tiers;
  bool json = false, list = false;
  int cluster = 0;
  std::vector<int> threads = {0};
  PlaceCampaign::Options campaign;
  bench::WorkloadOptions workload_options;
  PlaceMemory memory;
};

void place(PlaceArguments arguments) {
  const machines::Machine machine = machines::this_machine();
  if (!machine.is_this_host)
    throw UsageError("HWLOC_XMLFILE or HWLOC_SYNTHETIC shows another machine than this one: unset it");
  std::vector<PlaceTeam> teams = place_teams(machine, arguments.cluster, arguments.threads, arguments.smt);
  std::vector<bench::Tier> tiers = tiers_of(machine, arguments.tiers, arguments.cluster);
  const machines::Host host = machines::this_host();
  const NewFolder folder(arguments.folder);
  const std::string path = arguments.folder + "/placements.jsonl";
  const auto last_words = [&] {
    folder.remove_if_unused();
    return std::filesystem::exists(path) ? "interrupted; what was measured is kept in " + path
                                         : std::string("interrupted; nothing was measured yet");
  };
  QuickStop quick_stop(last_words);
  bench::Team threads;
  try {
    const Recording recording(arguments.folder, machine, host);
    finish_append(path);
    const std::vector<unsigned> all_cpus = bench::pus_of(
        machine.clusters[static_cast<std::size_t>(arguments.cluster)], 0, arguments.smt != "no");
    bench::Crew crew(threads, all_cpus);
    const bench::Graph graph = read_graph(arguments.graph, host, crew);
    arguments.campaign.graph = graph_name(arguments.graph, graph);
    require_same_graph(path, arguments.campaign.graph, graph);
    arguments.campaign.cluster = arguments.cluster;
    const auto workload = bench::make_workload(arguments.workload, graph, arguments.workload_options);
    PlaceCampaign campaign(arguments.campaign, graph, *workload, std::move(tiers), quick_stop);
    for (const PlaceTeam& team : teams) campaign.run(team, threads, path);
    print_placements(campaign.placed(), arguments.json);
    if (!stop_requested()) {
      for (const model::Point& point : points_of_placements(campaign.placed())) {
        const auto whole = quick_stop.hold();
        put_point(arguments.folder, point);
      }
    }
  } catch (const bench::PinError& error) {
    folder.remove_if_unused();
    throw std::runtime_error(error.reason);
  } catch (const std::exception& error) {
    folder.remove_if_unused();
    if (stop_requested()) throw Interrupted(last_words());
    if (dynamic_cast<const bench::GraphError*>(&error) != nullptr) throw UsageError(error.what());
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
      throw std::runtime_error(arguments.graph.source + ": not enough memory for this graph");
    throw;
  }
  if (stop_requested()) throw Interrupted(last_words());
}

// Options that concern one workload, or files alone, are a mistake with another; with --list, whatever says
// how to run.
void check_options(const CLI::App& command, const PlaceArguments& arguments) {
  struct Concern {
    const char *option, *workload;
  };
  constexpr Concern concerns[] = {{"--iterations", "pagerank"}, {"--ranks", "pagerank"},
                                  {"--damping", "pagerank"},    {"--directions", "bfs"},
                                  {"--source", "bfs"},          {"--access", "memory"},
                                  {"--memory-set", "memory"},   {"--vendor", "memory"}};
  const auto given = [&](const char* option) { return command.get_option(option)->count() > 0; };
  for (const auto& [option, workload] : concerns) {
    if (given(option) && arguments.workload != workload)
      throw UsageError(fmt::format("{}: concerns --bench {}{}", option, workload,
                                   arguments.workload.empty() ? "" : ", not " + arguments.workload));
  }
  if (arguments.list) {
    for (const CLI::Option* option : command.get_options()) {
      const std::string name = option->get_name();
      constexpr const char* shown[] = {"DIR",    "--bench", "--graph", "--vendor",
                                       "--json", "--quiet", "--list"};
      if (option->count() > 0 && std::ranges::find(shown, name) == std::end(shown))
        throw UsageError(fmt::format("{}: --list runs nothing; leave one of them out", name));
    }
    return;
  }
  for (const char* option : {"--directed", "--undirected"}) {
    if (given(option) && bench::is_generated(arguments.graph.source))
      throw UsageError(fmt::format("{}: {} is generated with the direction it has; leave it out", option,
                                   arguments.graph.source));
  }
}

// The memory benchmarks have no graph, and by themselves run with and without SMT and with fewer threads.
void run_memory(const CLI::App& command, const PlaceArguments& arguments) {
  for (const char* option : {"--graph", "--directed", "--undirected", "--dump"}) {
    if (command.get_option(option)->count() > 0)
      throw UsageError(fmt::format("{}: concerns graphs, not --bench memory", option));
  }
  if (arguments.threads.size() > 1)
    throw UsageError("--threads: the memory benchmarks take one number, the most; fewer run by themselves");
  check_options(command, arguments);
  PlaceMemory memory = arguments.memory;
  memory.folder = arguments.folder;
  memory.tiers = arguments.tiers;
  memory.list = arguments.list;
  memory.json = arguments.json;
  memory.quiet = arguments.campaign.quiet;
  memory.options.cluster = arguments.cluster;
  memory.options.threads = arguments.threads.front();
  memory.options.smt = arguments.smt != "no";
  memory.options.runs = arguments.campaign.runs;
  place_memory(memory);
}

void run(const CLI::App& command, const PlaceArguments& arguments) {
  if (arguments.workload == "memory") return run_memory(command, arguments);
  if (arguments.list) {
    check_options(command, arguments);
    const bool has_tiers = std::filesystem::exists(file_in(arguments.folder, "tiers.jsonl"));
    const bool has_placements = std::filesystem::exists(file_in(arguments.folder, "placements.jsonl"));
    if (arguments.workload.empty() && arguments.graph.source.empty() && has_tiers && !has_placements)
      return run_memory(command, arguments);
    return list_placements(arguments.folder, arguments.workload, arguments.graph.source, arguments.json);
  }
  for (const char* option : {"--bench", "--graph"}) {
    if (command.get_option(option)->count() == 0)
      throw UsageError(fmt::format("{} is required (or --list, to show what was placed before)", option));
  }
  check_options(command, arguments);
  if (!arguments.campaign.dump.empty()) require_output("--dump", arguments.campaign.dump);
  place(arguments);
}

}  // namespace

void define_place(CLI::App& command) {
  const auto arguments = std::make_shared<PlaceArguments>();
  bench::WorkloadOptions& workload = arguments->workload_options;
  command
      .add_option("DIR", arguments->folder, "folder of the recorded machine; placements.jsonl is added to")
      ->required();
  std::vector<std::string> benches = bench::workload_names();
  benches.emplace_back("memory");
  command
      .add_option("--bench", arguments->workload,
                  "what to run: pagerank or bfs; memory: bandwidths, latency and writes of every tier itself")
      ->check(CLI::IsMember(benches));
  define_place_graph(command, arguments->graph);
  command
      .add_option("--tiers", arguments->tiers,
                  "where the parts may lie: DRAM, HBM, NVM, CXL, node:N, a folder or new file (DAX or not), "
                  "memkind:KIND; default: one for each kind of memory this machine has")
      ->delimiter(',');
  command.add_option("--cluster", arguments->cluster, "whose threads")->check(not_negative());
  command
      .add_option("--threads", arguments->threads,
                  "how many, several numbers with commas; default: as many as there is room for")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 20));
  command
      .add_flag("--smt{yes}", arguments->smt,
                "one thread per hardware thread instead of per core; --smt=both: one after the other")
      ->check(CLI::IsMember({"no", "yes", "both"}));
  command.add_option("--runs", arguments->campaign.runs, "of every variant in every placement")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--iterations", workload.iterations, "pagerank: iterations of a run")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command.add_option("--ranks", workload.ranks, "pagerank: how many ranks at once, one variant each")
      ->delimiter(',')
      ->check(CLI::Range(1, 64));
  command.add_option("--damping", workload.damping, "pagerank: damping factor of the first rank, below 1")
      ->check(between(0, 1))
      ->capture_default_str();
  command
      .add_option("--directions", workload.directions,
                  "bfs: top-down, bottom-up, optimizing, one variant each; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember({"top-down", "bottom-up", "optimizing"}));
  command.add_option("--source", workload.source,
                     "bfs: start here every time; default: a new vertex for every run");
  command.add_option(
      "--dump", arguments->campaign.dump,
      "write 'vertex value' lines of the first run there: ranks, or depths with -1 for what was not reached");
  command.add_flag("--json", arguments->json, "print the records instead of the table");
  command.add_flag("--quiet", arguments->campaign.quiet, "no progress");
  command.add_flag("--list", arguments->list,
                   "run nothing: print what was placed before, with --bench and --graph only theirs");
  define_place_memory(command, arguments->memory);
  command.callback([arguments, &command] { run(command, *arguments); });
}

}  // namespace gable::cli
