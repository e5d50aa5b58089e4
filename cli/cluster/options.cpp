#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/cluster/compare.hpp"
#include "cli/cluster/measure.hpp"
#include "cli/cluster/show.hpp"
#include "cli/measure/measure_options.hpp"
#include "cli/options/call_text.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/pictures.hpp"
#include "cli/options/validators.hpp"

namespace gable::cli {

namespace {

// The options that were given, as words of a command line.
std::vector<std::string> words_given(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> words;
  for (const CLI::Option* option : options) {
    if (option->get_expected_max() == 0 && option->count() > 0) words.push_back(option->get_name());
    if (option->get_expected_max() == 0) continue;
    for (const std::string& value : option->results()) {
      words.push_back(option->get_name());
      words.push_back(value);
    }
  }
  return words;
}

void add_job_options(CLI::App& command, ClusterMeasureArguments& arguments) {
  auto* submit = command.add_flag("--submit", arguments.submit,
                                  "write DIR/gable-cluster.sbatch and have Slurm run it on nodes of its own");
  command.add_flag("--script", arguments.script, "write that script and do not submit it")->excludes(submit);
  command.add_option("--nodes", arguments.nodes, "nodes of the job that --submit asks for")
      ->check(CLI::Range(1, 1 << 20));
  command
      .add_option("--sbatch", arguments.sbatch,
                  "an option of that job, without its dashes, such as 'partition=main'; may be repeated")
      ->allow_extra_args(false);
}

void define_cluster_measure(CLI::App& command) {
  struct All {
    MeasureArguments measure;
    ClusterMeasureArguments cluster;
  };
  const auto all = std::make_shared<All>();
  ClusterMeasureArguments& arguments = all->cluster;
  command
      .add_option("DIR", arguments.folder,
                  "folder of the nodes' folders; complete nodes are not measured again")
      ->type_name(folder_value)
      ->required();
  std::vector<const CLI::Option*> before = std::as_const(command).get_options();
  add_measure_options(command, all->measure);
  std::vector<const CLI::Option*> measure_options;
  for (const CLI::Option* option : std::as_const(command).get_options()) {
    if (std::ranges::find(before, option) == before.end()) measure_options.push_back(option);
  }
  command.add_option("--deadline", arguments.deadline,
                     "time that a node has, such as 10m; default: 1h, or twice the --budget and 5m");
  command.add_option("--sample", arguments.sample, "measure N nodes of each group of equal hardware")
      ->check(CLI::Range(1, 1 << 20));
  command
      .add_option("--local", arguments.local,
                  "where nodes keep their results while they measure; default: $TMPDIR or /tmp there")
      ->type_name(folder_value);
  command.add_option(
      "--gather", arguments.gather,
      "a launcher's command, such as 'mpirun -N 1 --hostfile hosts' or srun: start the nodes by it, "
      "and get the results through its output, where DIR is not shared");
  command.add_flag("--stream", arguments.stream,
                   "of what --gather starts: print the results instead of writing into DIR");
  command.add_option("--skip", arguments.skip, "nodes to leave out, with commas")->delimiter(',');
  add_job_options(command, arguments);
  command.add_flag("--quiet", arguments.quiet, "no progress");
  command.callback([all, measure_options, &command] {
    all->cluster.options = words_given(measure_options);
    all->cluster.budget = all->measure.budget;
    for (std::string& word : all->cluster.sbatch)
      if (!word.starts_with('-')) word = "--" + word;
    all->cluster.call = call_text(command);
    cluster_measure(all->cluster);
  });
}

void define_cluster_show(CLI::App& command, bool report) {
  const auto arguments = std::make_shared<ClusterShowArguments>();
  command.add_option("DIR", arguments->folder, "folder of the nodes' folders")
      ->type_name(folder_value)
      ->required();
  command.add_option("--roof", arguments->roof,
                     "roof of the map, by a part of its name; default: the first bandwidth of a memory");
  if (report) {
    command.add_option("-o,--output", arguments->output, "HTML file; default: DIR/report.html");
    command.callback([arguments] { cluster_report(*arguments); });
    return;
  }
  command.add_flag("--nodes", arguments->nodes, "a table of every node, too");
  command.add_flag("--all", arguments->all,
                   "every roof, not only loads, stores, peaks of FMA and idle latencies");
  command.add_flag("--json", arguments->json, "print JSON instead of tables");
  command.add_option("--output", arguments->output, "draw the strips and the map into this folder");
  add_format_options(command, arguments->pictures);
  command.callback([arguments] { cluster_show(*arguments); });
}

void define_cluster_compare(CLI::App& command) {
  const auto arguments = std::make_shared<ClusterCompareArguments>();
  command.add_option("DIR", arguments->folder, "folder of the nodes' folders")
      ->type_name(folder_value)
      ->required();
  command.add_option("EARLIER", arguments->earlier, "an earlier recording of the same nodes")
      ->type_name(folder_value)
      ->required();
  command
      .add_option(
          "--fail-above", arguments->fail_above,
          "exit with status 1 if a roof is significantly worse by more percent than this, on a node or on "
          "all, or if a node lost its figures")
      ->transform(without_percent_sign())
      ->check(not_negative());
  command.add_flag("--all", arguments->all, "every roof, not only those that changed");
  command.add_flag("--json", arguments->json, "print JSON instead of tables");
  command.add_option("--output", arguments->output, "draw the changes into this folder");
  add_format_options(command, arguments->pictures);
  command.callback([arguments] { cluster_compare(*arguments); });
}

}  // namespace

void define_cluster(CLI::App& command) {
  command.require_subcommand(1);
  define_cluster_measure(
      *command.add_subcommand("measure", "nodes of a Slurm allocation or an MPI launch, at the same time"));
  define_cluster_show(
      *command.add_subcommand("show", "groups of equal nodes, the spread of every roof, and who differs"),
      false);
  define_cluster_show(*command.add_subcommand("report", "the same with charts as one HTML file"), true);
  define_cluster_compare(
      *command.add_subcommand("compare", "every roof beside an earlier recording of the same nodes"));
}

}  // namespace gable::cli
