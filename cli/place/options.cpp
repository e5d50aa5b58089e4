#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "bench/apps/graphs/generate.hpp"
#include "cli/folder.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "cli/output_file.hpp"
#include "cli/place/memory/memory.hpp"
#include "cli/place/place.hpp"

namespace gable::cli {

namespace {

// What the user gave; `place` and `memory` are two workloads of one command.
struct PlaceOptions {
  PlaceArguments place;
  PlaceMemory memory;
  bool list = false;  // print what was placed before, run nothing
};

// Options that concern one workload, or files alone, are a mistake with another; with --list, whatever says
// how to run.
void check_place_options(const CLI::App& command, const PlaceOptions& options) {
  struct Concern {
    const char *option, *workload;
  };
  constexpr Concern concerns[] = {
      {"--iterations", "pagerank"}, {"--ranks", "pagerank"},    {"--directions", "bfs"}, {"--source", "bfs"},
      {"--access", "memory"},       {"--memory-set", "memory"}, {"--vendor", "memory"}};
  const auto given = [&](const char* option) { return command.get_option(option)->count() > 0; };
  for (const auto& [option, workload] : concerns) {
    if (given(option) && options.place.workload != workload)
      throw Error::usage(
          fmt::format("{}: only for --bench {}{}", option, workload,
                      options.place.workload.empty() ? "" : ", not " + options.place.workload));
  }
  if (options.list) {
    for (const CLI::Option* option : command.get_options()) {
      const std::string name = option->get_name();
      constexpr const char* shown[] = {"DIR",    "--bench", "--graph", "--vendor",
                                       "--json", "--quiet", "--list"};
      if (option->count() > 0 && std::ranges::find(shown, name) == std::end(shown))
        throw Error::usage(fmt::format("{}: --list runs nothing; leave one of them out", name));
    }
    return;
  }
  for (const char* option : {"--directed", "--undirected"}) {
    if (given(option) && bench::is_generated(options.place.graph.source))
      throw Error::usage(fmt::format("{}: {} is generated with its own direction; leave the option out",
                                     option, options.place.graph.source));
  }
}

// The memory benchmarks have no graph, and by themselves run with and without SMT and with fewer threads.
void run_memory(const CLI::App& command, const PlaceOptions& options) {
  for (const char* option : {"--graph", "--directed", "--undirected", "--dump"}) {
    if (command.get_option(option)->count() > 0)
      throw Error::usage(fmt::format("{}: only for graphs, not for --bench memory", option));
  }
  if (options.place.threads.size() > 1)
    throw Error::usage(
        "--threads: the memory benchmarks take one number, the largest; smaller numbers are always run as "
        "well");
  check_place_options(command, options);
  PlaceMemory memory = options.memory;
  memory.folder = options.place.folder;
  memory.tiers = options.place.tiers;
  memory.list = options.list;
  memory.json = options.place.json;
  memory.quiet = options.place.campaign.quiet;
  memory.options.cluster = options.place.cluster;
  memory.options.threads = options.place.threads.front();
  memory.options.smt = options.place.smt != "no";
  memory.options.runs = options.place.campaign.runs;
  place_memory(memory);
}

void run_place(const CLI::App& command, PlaceOptions options) {
  if (options.list) options.place.folder = machine_folder(options.place.folder);
  if (options.place.workload == "memory") return run_memory(command, options);
  if (options.list) {
    check_place_options(command, options);
    const bool has_tiers = std::filesystem::exists(file_in(options.place.folder, "tiers.jsonl"));
    const bool has_placements = std::filesystem::exists(file_in(options.place.folder, "placements.jsonl"));
    if (options.place.workload.empty() && options.place.graph.source.empty() && has_tiers && !has_placements)
      return run_memory(command, options);
    return list_placements(options.place.folder, options.place.workload, options.place.graph.source,
                           options.place.json);
  }
  for (const char* option : {"--bench", "--graph"}) {
    if (command.get_option(option)->count() == 0)
      throw Error::usage(fmt::format("{} is required (or --list, to show what was placed before)", option));
  }
  check_place_options(command, options);
  if (!options.place.campaign.dump.empty()) require_output("--dump", options.place.campaign.dump);
  place(options.place);
}

void define_place_graph(CLI::App& command, PlaceGraph& arguments) {
  command.add_option(
      "--graph", arguments.source,
      "file: SNAP's edge list, Matrix Market or GAP's .sg, also gzipped; or a generated graph: kron:20 or "
      "uniform:20 with 2^20 vertices, kron:20:16 with 16 edges per vertex, kron:pokec of the size of a known "
      "graph (facebook, epinions, pokec, livejournal, orkut); not with --bench memory");
  auto* directed = command.add_flag("--directed", arguments.directed, "the edges of the file are directed");
  command
      .add_flag("--undirected", arguments.undirected,
                "the edges of the file are undirected (default for edge lists)")
      ->excludes(directed);
}

void define_place_memory(CLI::App& command, PlaceMemory& arguments) {
  add_list(command, "--access", arguments.options.accesses,
           "memory: sizes of written blocks, such as 64,256,4096")
      ->check(one_of({"64", "128", "256", "512", "1024", "2048", "4096"}));
  command
      .add_option(
          "--memory-set", arguments.options.memory_set_bytes,
          "memory: working set of the cluster, such as 64M or 64MiB (64MB: 64e6 bytes): at least twice its "
          "last-level caches; "
          "default: eight times these and at least 256M")
      ->transform(size_in_bytes());
  command
      .add_option("--vendor", arguments.vendors,
                  "memory: what the vendor claims for a tier in GB/s, such as NVM:read=40.8,write=11.1; may "
                  "be repeated; with --list, compared with earlier results")
      ->allow_extra_args(false);
}

// What runs, where and how often.
void define_place_runs(CLI::App& command, PlaceArguments& arguments) {
  add_machine(command, "DIR", arguments.folder,
              "folder of the recorded machine (`gable measure` makes it); results are appended to its "
              "placements.jsonl; with --list also a published name")
      ->required();
  std::vector<std::string> benches = bench::workload_names();
  benches.emplace_back("memory");
  command
      .add_option(
          "--bench", arguments.workload,
          "what to run: pagerank or bfs; memory: bandwidths, latency and writes of the tiers themselves")
      ->check(one_of(benches));
  define_place_graph(command, arguments.graph);
  add_list(command, "--tiers", arguments.tiers,
           "memories for the parts of the data: DRAM, HBM, NVM, CXL, node:N, a folder or new file "
           "(DAX or not), memkind:KIND; default: one for each kind of memory of this machine");
  command.add_option("--cluster", arguments.cluster, "cluster on whose cores to run")->check(not_negative());
  add_list(command, "--threads", arguments.threads,
           "number of threads, or several, separated by commas; default: one per core, or with --smt "
           "per hardware thread")
      ->check(integer(1, 1 << 20));
  command
      .add_flag("--smt{yes}", arguments.smt,
                "one thread per hardware thread instead of per core; --smt=both: one after the other")
      ->disable_flag_override(false)
      ->check(one_of({"no", "yes", "both"}));
  command.add_option("--runs", arguments.campaign.runs, "runs of every variant in every placement")
      ->check(integer(1, 1000))
      ->capture_default_str();
}

// What concerns one workload alone.
void define_place_workloads(CLI::App& command, bench::WorkloadOptions& workload) {
  command.add_option("--iterations", workload.iterations, "pagerank: iterations of a run")
      ->check(integer(1, 1'000'000))
      ->capture_default_str();
  add_list(command, "--ranks", workload.ranks,
           "pagerank: numbers of ranks computed at once, one variant each")
      ->check(integer(1, 64));
  add_list(command, "--directions", workload.directions,
           "bfs: top-down, bottom-up, optimizing, one variant each; default: all")
      ->check(one_of({"top-down", "bottom-up", "optimizing"}));
  command.add_option("--source", workload.source,
                     "bfs: start at this vertex in every run; default: a new one for every run");
}

void define_place_output(CLI::App& command, PlaceOptions& options) {
  add_file(command, "--dump", options.place.campaign.dump,
           "write 'vertex value' lines of the first run to this file: ranks, or depths with -1 for "
           "vertices that were not reached");
  command.add_flag("--json", options.place.json, "print the records instead of the table");
  command.add_flag("--quiet", options.place.campaign.quiet, "no progress");
  command.add_flag("--list", options.list,
                   "run nothing: print earlier results, with --bench and --graph only those");
}

}  // namespace

void define_place(CLI::App& command) {
  const auto options = std::make_shared<PlaceOptions>();
  define_place_runs(command, options->place);
  define_place_workloads(command, options->place.workload_options);
  define_place_output(command, *options);
  define_place_memory(command, options->memory);
  command.callback([options, &command] { run_place(command, *options); });
}

}  // namespace gable::cli
