#include "cli/cluster/cluster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/installation.hpp"
#include "base/lists.hpp"
#include "base/programs/program.hpp"
#include "base/words.hpp"
#include "cli/cluster/run/coordinate.hpp"
#include "cli/cluster/run/launch.hpp"
#include "cli/cluster/run/monitor.hpp"
#include "cli/cluster/run/node.hpp"
#include "cli/cluster/run/node_records.hpp"
#include "cli/interrupt.hpp"
#include "cli/text/arguments.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

// A script for sbatch that a person can read, change and keep.
std::string sbatch_script(const ClusterMeasureArguments& arguments, double deadline) {
  const fs::path folder = fs::absolute(arguments.folder).lexically_normal();
  const auto gives = [&](const char* name) {
    return std::ranges::any_of(arguments.sbatch,
                               [&](const std::string& word) { return word.starts_with(name); });
  };
  std::string lines;
  const auto add = [&](const std::string& word) { lines += "#SBATCH " + word + "\n"; };
  if (!gives("--job-name")) add("--job-name=gable");
  if (arguments.nodes > 0) add(fmt::format("--nodes={}", arguments.nodes));
  add("--exclusive");
  if (!gives("--time")) {
    constexpr double minute = 60;
    add(fmt::format("--time={}", std::ceil((deadline + grace_after(deadline)) / minute) + 2));
  }
  if (!gives("--output")) add("--output=" + (folder / "slurm-%j.out").string());
  for (const std::string& word : arguments.sbatch) add(word);
  std::string call = shell_quoted(own_program()) + " cluster measure " + shell_quoted(folder);
  for (const std::string& word : arguments.options)
    call += " " + (word.starts_with("--") ? word : shell_quoted(word));
  if (!arguments.deadline.empty()) call += " --deadline " + arguments.deadline;
  if (!arguments.local.empty()) call += " --local " + shell_quoted(arguments.local);
  if (arguments.sample > 0) call += fmt::format(" --sample {}", arguments.sample);
  if (!arguments.gather.empty()) call += " --gather " + shell_quoted(arguments.gather);
  return fmt::format(
      "#!/bin/bash\n"
      "# Every node of this job measures itself into {}; nodes that are complete there are left out.\n"
      "# Written by gable cluster measure --submit. Change and keep it; `sbatch` submits it again.\n"
      "{}"
      "exec {}\n",
      folder.string(), lines, call);
}

constexpr const char* duration_examples = "90s, 5m or 1h";

double deadline_of(const ClusterMeasureArguments& arguments) {
  constexpr double an_hour = 3600, to_start_and_fit = 300;
  if (!arguments.deadline.empty()) return seconds_from(arguments.deadline, "--deadline", duration_examples);
  return arguments.budget.empty()
             ? an_hour
             : 2 * seconds_from(arguments.budget, "--budget", duration_examples) + to_start_and_fit;
}

NodeTask task_of(const ClusterMeasureArguments& arguments) {
  NodeTask task{arguments, deadline_of(arguments)};
  const char* const temporary = std::getenv("TMPDIR");
  if (task.local.empty()) task.local = temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
  return task;
}

void require_complete(int missing) {
  if (missing > 0)
    throw Error::failed(fmt::format("{} no complete result",
                                    missing == 1 ? "one node has" : fmt::format("{} nodes have", missing)));
}

// A process of a launcher: it measures its node, or sleeps beside the one that does.
void take_part(const ClusterMeasureArguments& arguments, const Launch& launch) {
  const NodeTask task = task_of(arguments);
  if (launch.local_rank > 0) return sleep_beside(task);
  leave_binding(launch);
  const bool watches = launch.rank == 0 && task.stream == NodeStream::none && !arguments.quiet;
  if (!watches) {
    measure_node(task, launch, [] {});
    return;
  }
  Monitor monitor(arguments.folder, {}, launch.nodes(), options_text(task.options), arguments.quiet);
  measure_node(task, launch, [&] { monitor.look(); });
  const double own_end = seconds_now(), limit = own_end + task.seconds + grace_after(task.seconds);
  const double to_begin = own_end + grace_after(task.seconds);
  while (!monitor.all_ended() && !stop_requested() && seconds_now() < limit) {
    if (!monitor.all_begun() && seconds_now() > to_begin) break;
    usleep(200'000);
    monitor.look();
  }
  for (const std::string& node : monitor.open_nodes())
    monitor.give_up(node, model::NodeStatus::hung,
                    {model::NoteCode::no_result_at_deadline, {clock_text(task.seconds)}});
  const int missing = monitor.finish(arguments.call);
  if (!monitor.all_begun())
    fmt::print("Some nodes wrote nothing into {}: if the nodes do not share this folder, use --gather\n",
               arguments.folder);
  require_complete(missing);
}

std::vector<std::string> complete_nodes(const ClusterMeasureArguments& arguments) {
  const std::string options = options_text(arguments.options);
  std::vector<std::string> nodes;
  for (const auto& [node, record] : recorded_nodes(arguments.folder)) {
    if (is_complete(record, options)) nodes.push_back(node);
  }
  return nodes;
}

// What each node runs.
std::vector<std::string> node_command(const ClusterMeasureArguments& arguments,
                                      const std::vector<std::string>& skip) {
  std::vector<std::string> command = {own_program(), "cluster", "measure", fs::absolute(arguments.folder),
                                      "--quiet"};
  command.insert(command.end(), arguments.options.begin(), arguments.options.end());
  command.insert(command.end(), {"--deadline", fmt::format("{}s", deadline_of(arguments))});
  if (!arguments.local.empty()) command.insert(command.end(), {"--local", arguments.local});
  if (arguments.sample > 0) command.insert(command.end(), {"--sample", std::to_string(arguments.sample)});
  command.push_back(arguments.gather.empty() ? "--stream-failures" : "--stream");
  if (!skip.empty()) command.insert(command.end(), {"--skip", fmt::format("{}", fmt::join(skip, ","))});
  return command;
}

// One process on each of the nodes, which has all its CPUs; a node that ends badly ends no other.
std::vector<std::string> srun_command(const std::vector<std::string>& nodes) {
  return {"srun",
          fmt::format("--nodes={}", nodes.size()),
          fmt::format("--ntasks={}", nodes.size()),
          "--ntasks-per-node=1",
          fmt::format("--nodelist={}", fmt::join(nodes, ",")),
          "--no-kill",
          "--kill-on-bad-exit=0",
          "--wait=0",
          "--cpu-bind=none",
          "--mpi=none",
          "--job-name=gable"};
}

void start_launcher(const ClusterMeasureArguments& arguments) {
  Coordination coordination;
  coordination.folder = arguments.folder;
  coordination.options = options_text(arguments.options);
  coordination.deadline = deadline_of(arguments);
  coordination.quiet = arguments.quiet;
  coordination.call = arguments.call;
  std::vector<std::string> skip = complete_nodes(arguments);
  skip.insert(skip.end(), arguments.skip.begin(), arguments.skip.end());
  if (arguments.gather.empty() || arguments.gather == "srun") {
    for (const std::string& node : allocated_nodes()) {
      if (!is_among(skip, node)) coordination.nodes.push_back(node);
    }
    if (coordination.nodes.empty()) {
      fmt::print("Every node of the allocation is complete in {}; next: gable cluster show {}\n",
                 arguments.folder, shell_quoted(arguments.folder));
      return;
    }
    coordination.command = srun_command(coordination.nodes);
    skip.clear();
  } else {
    coordination.command = shell_words(arguments.gather, "--gather");
    coordination.complete = !skip.empty();
  }
  const std::vector<std::string> node = node_command(arguments, skip);
  coordination.command.insert(coordination.command.end(), node.begin(), node.end());
  require_complete(coordinate(coordination));
  fmt::print("Next: gable cluster show {}\n", shell_quoted(arguments.folder));
}

void submit(const ClusterMeasureArguments& arguments) {
  const std::string path = fs::path(arguments.folder) / "gable-cluster.sbatch";
  write_whole(path, sbatch_script(arguments, deadline_of(arguments)));
  if (!arguments.submit) {
    fmt::print("{}: submit it with sbatch\n", path);
    return;
  }
  const Captured submitted = output_of({"sbatch", path});
  if (submitted.status != 0) throw Error::failed(fmt::format("{}: sbatch: {}", path, submitted.errors));
  fmt::print("{}: {}", path, submitted.output);
}

void check(const ClusterMeasureArguments& arguments) {
  if (arguments.sample > 0 && (!arguments.gather.empty() || arguments.stream == NodeStream::results))
    throw Error::usage(
        "--sample: the nodes choose the sample in DIR, so they must share it: leave out --gather");
  if ((arguments.nodes > 0 || !arguments.sbatch.empty()) && !arguments.submit && !arguments.script)
    throw Error::usage("--nodes and --sbatch describe a job: use them with --submit or --script");
}

}  // namespace

void cluster_measure(const ClusterMeasureArguments& arguments) {
  check(arguments);
  stop_requested();
  const auto launch = this_launch();
  if (!arguments.submit && !arguments.script && !launch && arguments.gather.empty() &&
      std::getenv("SLURM_JOB_ID") == nullptr)
    throw Error::usage(
        "cluster measure: no launcher and no Slurm allocation here. Run it with `mpirun -n N`, in an "
        "allocation (salloc, sbatch), with --submit to submit a job, or with --gather 'mpirun ...'");
  if (arguments.stream != NodeStream::results) fs::create_directories(arguments.folder);
  if (arguments.submit || arguments.script) return submit(arguments);
  if (launch && arguments.gather.empty()) return take_part(arguments, *launch);
  start_launcher(arguments);
}

}  // namespace gable::cli
