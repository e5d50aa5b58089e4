#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/lists.hpp"
#include "cli/cluster/cluster.hpp"
#include "cli/cluster/show.hpp"
#include "cli/measure/measure.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
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
  auto* submit =
      command.add_flag("--submit", arguments.submit,
                       "write DIR/gable-cluster.sbatch and submit it to Slurm as a job of its own");
  command.add_flag("--script", arguments.script, "write the script of --submit, but do not submit it")
      ->excludes(submit);
  command.add_option("--nodes", arguments.nodes, "number of nodes of that job")->check(integer(1, 1 << 20));
  command
      .add_option(
          "--sbatch", arguments.sbatch,
          "option of sbatch for that job, without its dashes, such as 'partition=main'; may be repeated")
      ->allow_extra_args(false);
}

void define_cluster_measure(CLI::App& command) {
  struct All {
    MeasureArguments measure;
    ClusterMeasureArguments cluster;
  };
  const auto all = std::make_shared<All>();
  ClusterMeasureArguments& arguments = all->cluster;
  add_folder(command, "DIR", arguments.folder,
             "folder that contains the nodes' folders; complete nodes are not measured again")
      ->required();
  std::vector<const CLI::Option*> before = std::as_const(command).get_options();
  add_measure_options(command, all->measure);
  const auto measure_options = those(std::as_const(command).get_options(),
                                     [&](const CLI::Option* option) { return !is_among(before, option); });
  command.add_option("--deadline", arguments.deadline,
                     "time limit of each node, such as 10m; default: 1h, or twice the --budget plus 5m");
  command.add_option("--sample", arguments.sample, "measure N nodes of each group of equal hardware")
      ->check(integer(1, 1 << 20));
  add_folder(command, "--local", arguments.local,
             "folder on each node for its results while it measures; default: $TMPDIR or /tmp of the node");
  command.add_option("--gather", arguments.gather,
                     "if the nodes do not share DIR: launcher that starts them, such as 'mpirun -N 1 "
                     "--hostfile hosts' or srun; the results come through its output");
  command.add_flag_callback(
      "--stream", [&] { arguments.stream = NodeStream::results; },
      "used by --gather on the nodes: print the results instead of writing them into DIR");
  command.add_flag_callback(
      "--stream-failures", [&] { arguments.stream = NodeStream::failures; },
      "used on the nodes of a Slurm allocation: print why a node cannot write into DIR, for the launcher");
  add_list(command, "--skip", arguments.skip, "nodes to leave out, separated by commas");
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
  add_folder(command, "DIR", arguments->folder, "folder of the nodes' folders")->required();
  command.add_option("--roof", arguments->roof,
                     "roof that the map shows, by a part of its name; default: the first memory bandwidth");
  if (report) {
    add_file(command, "-o,--output", arguments->output, "HTML file; default: DIR/report.html");
    command.callback([arguments] { cluster_report(*arguments); });
    return;
  }
  command.add_flag("--nodes", arguments->nodes, "also print a table of every node");
  command.add_flag("--all", arguments->all,
                   "print every roof, not only loads, stores, FMA peaks and idle latencies");
  command.add_flag("--json", arguments->json, "print JSON instead of tables");
  add_folder(command, "-o,--output", arguments->output,
             "draw the figures of all nodes, a strip for each roof, and the map into this folder");
  add_format_options(command, arguments->pictures);
  command.callback([arguments] { cluster_show(*arguments); });
}

void define_cluster_compare(CLI::App& command) {
  const auto arguments = std::make_shared<ClusterCompareArguments>();
  add_folder(command, "DIR", arguments->folder, "folder of the nodes' folders")->required();
  add_folder(command, "EARLIER", arguments->earlier, "an earlier recording of the same nodes")->required();
  command
      .add_option("--fail-above", arguments->fail_above,
                  "exit with status 1 if a roof is significantly worse by more than this percentage, on one "
                  "node or on all, or if a node failed or lost its figures")
      ->transform(percentage());
  command.add_flag("--all", arguments->all, "print every roof, not only those that changed");
  command.add_flag("--json", arguments->json, "print JSON instead of tables");
  add_folder(command, "-o,--output", arguments->output, "draw the changes into this folder");
  add_format_options(command, arguments->pictures);
  command.callback([arguments] { cluster_compare(*arguments); });
}

}  // namespace

void define_cluster(CLI::App& command) {
  command.require_subcommand(1);
  define_cluster_measure(*command.add_subcommand(
      "measure", "measure the nodes of a Slurm allocation or an MPI launch, all at the same time"));
  define_cluster_show(
      *command.add_subcommand(
          "show", "show groups of equal nodes, the spread of every roof, and the nodes that differ"),
      false);
  define_cluster_show(*command.add_subcommand(
                          "report", "write what `gable cluster show` prints, with charts, as one HTML file"),
                      true);
  define_cluster_compare(
      *command.add_subcommand("compare", "compare every roof with an earlier recording of the same nodes"));
}

}  // namespace gable::cli
