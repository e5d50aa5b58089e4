#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/pages.hpp"
#include "cli/kmaf/replay/replay.hpp"
#include "cli/kmaf/run.hpp"
#include "cli/kmaf/trace.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "kmaf/live/samplers/sampler.hpp"

namespace gable::cli {

namespace {

// A trace grows by 16 bytes an access: this many are 1 GiB.
constexpr std::uint64_t usual_most = std::uint64_t{1} << 26;

void define_kmaf_run(CLI::App& command) {
  const auto arguments = std::make_shared<KmafRunArguments>();
  std::vector<std::string> samplers = {"auto"};
  for (const auto& entry : kmaf::live::samplers()) samplers.emplace_back(entry.name);
  command.add_option("COMMAND", arguments->live.command, "the program and its arguments, after --");
  command
      .add_option_function<std::string>(
          "--policy",
          [&policy = arguments->live.policy](const std::string& name) {
            policy = *model::named<kmaf::live::Policy>(name);
          },
          "policy that decides where threads run and pages lie")
      ->check(one_of(model::all_names<kmaf::live::Policy>()))
      ->default_str(name_of(arguments->live.policy));
  command.add_flag("--threads-only", arguments->threads_only, "for kmaf and oracle: leave pages to the OS");
  command.add_flag("!--no-trials", arguments->live.trials,
                   "for kmaf: do not try other places for the threads to see where the program is faster");
  add_machine(command, "--machine", arguments->machine,
              "map threads by the figures between cores of this recorded folder, of this machine");
  command.add_flag("--data-only", arguments->data_only, "for kmaf and oracle: leave threads to the OS");
  add_file(command, "--learn", arguments->learn,
           "write a record of the sampled accesses to this file, for --knowing");
  add_file(command, "--knowing", arguments->knowing, "record that --learn wrote, for --policy oracle");
  command
      .add_option("--overhead", arguments->overhead, "share of the program's CPU time that managing may take")
      ->capture_default_str();
  command.add_option("--sampler", arguments->live.sampler, "source of the samples; auto: hint-faults")
      ->check(one_of(samplers))
      ->capture_default_str();
  command
      .add_option(
          "--unit", arguments->unit,
          fmt::format("size in which pages are counted and moved: {} (the program then gets no transparent "
                      "huge pages) or {}; auto: {} if transparent huge pages are set to `always`",
                      page_size_name(small_page()), page_size_name(huge_page()), page_size_name(huge_page())))
      ->check(one_of({"auto", page_size_name(small_page()), page_size_name(huge_page())}))
      ->capture_default_str();
  add_file(command, "--report", arguments->report,
           "file for the report (default: standard error, at the end)");
  command.add_flag("--json", arguments->json, "print the report as JSON");
  add_note(
      command,
      {"The program keeps its own output and input. gable exits with the program's status, or 128 + N if "
       "signal N ended it. If --learn cannot write its file, the status is 1 instead of 0.",
       {}});
  add_note(command, list_note("policies:", table(kmaf::live::Policy())));
  add_note(command, list_note("samplers:", kmaf::live::samplers()));
  command.callback([arguments] { run_managed(*arguments); });
}

void define_kmaf_trace(CLI::App& command) {
  const auto arguments = std::make_shared<KmafTraceArguments>();
  arguments->trace.most_accesses = usual_most;
  arguments->trace.turn = 256;
  command.add_option("COMMAND", arguments->command, "the program and its arguments, after --");
  add_file(command, "-o,--output", arguments->output, "file; binary if its name ends in .trace, else CSV")
      ->required();
  command
      .add_option("--max-accesses", arguments->trace.most_accesses,
                  "end the trace after N accesses (16 bytes each in binary); the program continues")
      ->check(integer(1, 1'000'000'000'000))
      ->capture_default_str();
  command.add_option("--bursts", arguments->bursts,
                     "N/M: record the first N of every M accesses, and the first access to each page");
  command.add_option("--turn", arguments->trace.turn, "accesses after which a thread lets the next one run")
      ->check(integer(1, 1'000'000'000))
      ->capture_default_str();
  command.add_flag("--stack", arguments->trace.stack, "also record accesses of threads to their own stacks");
  add_note(
      command,
      {"The program's output, input and exit status are its own. If it fails or is interrupted, the trace up "
       "to that point is kept.",
       {}});
  command.callback([arguments] { trace_program(*arguments); });
}

void define_kmaf_metrics(CLI::App& command) {
  const auto arguments = std::make_shared<KmafMetricsArguments>();
  add_file(command, "TRACE", arguments->trace,
           "accesses in order, CSV or binary (docs/formats/traces.md), or a profile of gable profile")
      ->required();
  add_list(command, "--thread-nodes", arguments->thread_nodes,
           "node of each thread in order of first appearance: 0,0,1,1")
      ->check(integer(0, 1023));
  command.add_flag("--json", arguments->json, "print JSON");
  add_folder(command, "--plot", arguments->plot,
             "draw the sharing matrix and the exclusivity into this folder");
  add_picture_options(command, arguments->pictures);
  command.callback([arguments] { show_metrics(*arguments); });
}

void define_kmaf_replay(CLI::App& command) {
  const auto arguments = std::make_shared<KmafReplayArguments>();
  std::vector<std::string> policies = {"all"};
  for (const kmaf::PolicyEntry& entry : kmaf::policies()) policies.emplace_back(entry.name);
  add_file(command, "TRACE", arguments->traces,
           "accesses in order, CSV or binary (docs/formats/traces.md); several: also their means");
  add_folder(
      command, "--suite", arguments->suite,
      "replay all traces (*.trace) of this folder, and print their means beside those of the kMAF paper");
  add_machine(command, "--machine", arguments->machine, "folder of a recorded machine, or a published name")
      ->required();
  add_list(command, "--policy", arguments->policies, "policies, separated by commas; os is always included")
      ->check(one_of(policies))
      ->capture_default_str();
  command
      .add_option("--knowing", arguments->knowing,
                  "trace of another run, or folder of traces with the same names: the oracle takes its "
                  "mapping from it")
      ->type_name("TRACE|FOLDER");
  command.add_option("--runs", arguments->runs, "runs of each policy")
      ->check(integer(1, 1000))
      ->capture_default_str();
  command
      .add_option(
          "--seconds", arguments->seconds,
          "how long the traced program takes under the OS (default: 30; with --points, as long as its point)")
      ->check(number_between(0.1, 1e6));
  command
      .add_option(
          "--iterations", arguments->iterations,
          "passes in which the steady part is simulated in a loop; 1: the whole trace once (default: 12 for "
          "traces with barriers)")
      ->check(integer(1, 30));
  command.add_option("--jobs", arguments->jobs, "parallel runs (default: one per CPU)")
      ->check(integer(1, 1024));
  add_note(command, list_note("policies:", kmaf::policies()));
  command.add_flag("--points", arguments->points,
                   "add simulated points to the machine's folder: the traced program under every policy, "
                   "with an arrow from the point of the same name");
  command.add_flag("--json", arguments->json, "print JSON");
  add_folder(command, "--plot", arguments->plot, "draw every policy relative to the OS into this folder");
  add_picture_options(command, arguments->pictures);
  command.callback([arguments] { replay_traces(*arguments); });
}

void define_kmaf_generate(CLI::App& command) {
  const auto arguments = std::make_shared<KmafGenerateArguments>();
  std::vector<std::string> names;
  for (const kmaf::Workload& workload : kmaf::workloads()) names.emplace_back(workload.name);
  command.add_option("KERNEL", arguments->kernel, "kernel that decides which threads share data, see below")
      ->required()
      ->check(one_of(names));
  add_file(command, "-o,--output", arguments->output, "file; binary if its name ends in .trace, else CSV")
      ->required();
  command.add_option("--threads", arguments->shape.threads, "threads")
      ->check(integer(2, 1024))
      ->capture_default_str();
  command
      .add_option("--accesses", arguments->shape.accesses,
                  "approximate number of accesses of all threads together")
      ->check(integer(1, 1'000'000'000'000))
      ->capture_default_str();
  add_note(command, list_note("kernels:", kmaf::workloads()));
  command.callback([arguments] { generate_trace(*arguments); });
}

}  // namespace

void define_kmaf(CLI::App& command) {
  command.require_subcommand(1);
  define_kmaf_run(*command.add_subcommand("run", "run a program and manage its threads and pages"));
  define_kmaf_trace(*command.add_subcommand("trace", "record a program's memory accesses with Valgrind"));
  define_kmaf_metrics(*command.add_subcommand(
      "metrics", "show how threads share data, and how exclusive pages are, in a trace"));
  define_kmaf_replay(
      *command.add_subcommand("replay", "replay a trace on a simulated machine, under every policy"));
  define_kmaf_generate(*command.add_subcommand("generate", "make traces of kernels whose sharing is known"));
}

}  // namespace gable::cli
