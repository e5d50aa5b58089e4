// gable point run: what is asked, and whether it can be done, before anything runs.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "cli/bytes_option.hpp"
#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "cli/point/counters.hpp"
#include "cli/point/figures.hpp"
#include "cli/point/point.hpp"
#include "cli/point/runs.hpp"
#include "cli/points_file.hpp"
#include "cli/recording.hpp"
#include "cli/shell_words.hpp"
#include "cli/validators.hpp"
#include "kernels/kernel.hpp"
#include "machines/json.hpp"
#include "points/counters/backends.hpp"
#include "points/policy.hpp"
#include "points/run.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  PointOptions point;
  std::vector<std::string> command;
  std::string counter = "auto";
  std::string policy = "first-touch";
  std::string wrapper;
  int repetitions = 0;  // 0: as many as seem worth their time
  bool smt = false;
  bool functions = false;
  bool regions = false;
  std::optional<double> flops, load_bytes, store_bytes;

  bool given() const { return flops && load_bytes; }
  bool marked() const { return regions || counter == "marker"; }
};

// One hardware thread per core, unless --smt: as the roofs were measured.
std::vector<unsigned> cpus_of(const machines::Machine& machine, const model::Point& point, bool smt) {
  std::vector<unsigned> cpus;
  for (const machines::Cluster& cluster : machine.clusters) {
    if (point.cluster >= 0 && cluster.index != point.cluster) continue;
    for (const machines::Core& core : cluster.cores)
      cpus.insert(cpus.end(), core.pus.begin(), smt ? core.pus.end() : core.pus.begin() + 1);
  }
  return cpus;
}

// What is checked before anything runs.
machines::Machine machine_of(const RunOptions& options) {
  points_of(options.point.folder);
  background_of(options.point.folder);
  machines::Machine machine = machines::this_machine();
  const machines::Host host = machines::this_host();
  if (fs::exists(file_in(options.point.folder, "machine.json"))) {
    require_same_machine(options.point.folder, machines::machine_json(machine, &host, kernels::isas(), {}));
  }
  return machine;
}

points::Policy policy_of(const RunOptions& options, const machines::Machine& machine) {
  std::vector<unsigned> nodes;
  for (const machines::Node& node : machine.nodes) {
    if (node.bytes > 0) nodes.push_back(node.os_index);
  }
  const points::Policy policy = points::parse_policy(options.policy, nodes);
  if (const std::string wrong = points::wrong_weights(policy); !wrong.empty())
    throw points::PolicyError(fmt::format("--policy {}: {}", options.policy, wrong));
  return policy;
}

std::string default_name(const RunOptions& options) {
  std::string name = fs::path(options.command.front()).filename();
  if (options.policy != "first-touch") name += " " + options.policy;
  return name;
}

// The counter that is to count; none where everything is given or stated.
const points::Backend* backend_of(const RunOptions& options) {
  if (options.given() || options.counter == "marker") return nullptr;
  if (!options.regions) return &points::choose_backend(options.counter);
  if (options.counter != "auto" && options.counter != "valgrind") {
    throw UsageError(fmt::format("--counter {}: it counts whole programs; --regions needs valgrind or marker",
                                 options.counter));
  }
  return &points::choose_backend("valgrind");
}

// What is known before anything runs.
model::Point point_of(const RunOptions& options, const machines::Machine& machine) {
  model::Point point = point_from(options.point);
  if (point.name.empty()) point.name = default_name(options);
  if (point.cluster < 0 && machine.clusters.size() < 2) {
    throw UsageError(fmt::format("{}: has other clusters than this machine, which has {}",
                                 options.point.folder, machine.clusters.size()));
  }
  point.policy = options.policy;
  point.command = options.command;
  point.environment = environment_that_matters();
  point.load_bytes = options.load_bytes.value_or(0);
  point.store_bytes = options.store_bytes.value_or(0);
  point.flops = options.flops.value_or(0);
  point.counter = "given";
  if (!options.wrapper.empty())
    point.notes.push_back("run through `" + options.wrapper + "`, which is not counted");
  return point;
}

std::vector<std::string> wrapper_of(const RunOptions& options) {
  std::vector<std::string> words = shell_words(options.wrapper, "--wrapper");
  if (!words.empty()) points::find_program(words.front());
  return words;
}

// What --from names must be there before anything runs; of marked regions, as far as is known before.
void check_from(const RunOptions& options, const model::Point& point) {
  if (point.from.empty() || !options.marked()) return require_from(options.point.folder, point);
  bool known = false;
  for (const model::Point& each : points_of(options.point.folder)) {
    if (each.region.empty() || each.name != point.from + ": " + each.region) continue;
    known = true;
    model::Point region = point;
    region.name += ": " + each.region;
    region.from = each.name;
    require_from(options.point.folder, region);
  }
  if (!known) {
    throw UsageError(
        fmt::format("--from {}: {}/points.json has no point of a region of it ('{}: REGION'); give "
                    "the name before the colon",
                    point.from, options.point.folder, point.from));
  }
}

// Of a marked region the point to come from is the same region of the program that --from names.
void set_from(std::vector<model::Point>& made, const std::string& folder) {
  const std::vector<model::Point> known = points_of(folder);
  for (model::Point& point : made) {
    if (point.region.empty() || point.from.empty()) continue;
    point.from += ": " + point.region;
    if (std::none_of(known.begin(), known.end(), [&](const auto& each) { return each.name == point.from; }))
      point.from.clear();
  }
}

void check(const RunOptions& options) {
  if (options.command.empty()) throw UsageError("which program? gable point run DIR -- ./app arguments");
  if ((options.flops || options.store_bytes) && !options.load_bytes)
    throw UsageError("--flops and --store-bytes need --load-bytes");
  if (options.given() && options.counter != "auto")
    throw UsageError(fmt::format("--counter {}: with --flops and --load-bytes there is nothing to count",
                                 options.counter));
  if (!options.marked()) return;
  if (options.flops || options.load_bytes)
    throw UsageError("--flops and --load-bytes are of the whole program: leave them out, or the regions");
  if (options.functions)
    throw UsageError("--functions are of the whole program: leave it out, or the regions");
}

void run_point(const RunOptions& options) {
  check(options);
  require_writable(options.point.folder);
  const machines::Machine machine = machine_of(options);
  const points::Policy policy = policy_of(options, machine);
  const model::Point point = point_of(options, machine);
  check_from(options, point);
  const std::vector<unsigned> cpus = cpus_of(machine, point, options.smt);
  RunPlan plan;
  plan.command = options.command;
  plan.wrapper = wrapper_of(options);
  plan.backend = backend_of(options);
  plan.bytes_given = options.load_bytes.has_value();
  plan.functions = options.functions;
  plan.regions = options.marked();
  plan.repetitions = options.repetitions;
  points::find_program(options.command.front());
  if (plan.backend != nullptr && plan.backend->name == "pmu") {
    if (!options.load_bytes)
      throw UsageError(
          "--counter pmu: it counts flops but no bytes: give --load-bytes and --store-bytes too");
    require_true_pmu();
  }
  std::vector<model::Point> made;
  {
    const points::AppliedCpus applied_cpus(cpus);
    const points::AppliedPolicy applied(policy);
    plan.watch_cpus = applied_cpus.others();
    made = run_points(plan, point);
  }
  set_from(made, options.point.folder);
  for (const model::Point& each : made) record_point(options.point.folder, each);
}

}  // namespace

void define_point_run(CLI::App& command) {
  const auto options = std::make_shared<RunOptions>();
  std::vector<std::string> counters = {"auto", "marker"};
  for (const points::Backend& backend : points::backends()) counters.emplace_back(backend.name);
  add_folder_option(command, options->point);
  command.add_option("COMMAND", options->command, "the program and its arguments, after --");
  command.add_option(
      "--name", options->point.name,
      "its label (default: the program's name, and --policy's value where one is given); replaces a "
      "point of the same name");
  add_from_option(command, options->point);
  command.add_option(
      "--wrapper", options->wrapper,
      "a command that runs the program, but for the count: 'gable kmaf run --', 'numactl -i all'");
  command.add_option("--counter", options->counter, "what counts flops and bytes")
      ->check(CLI::IsMember(counters))
      ->capture_default_str();
  command
      .add_option("--policy", options->policy,
                  "first-touch, interleave[:N,...], bind:N, preferred:N, weighted[:N=W,...]")
      ->capture_default_str();
  command.add_option("--repetitions", options->repetitions, "timed runs (default: 3 to 7 in half a minute)")
      ->check(positive());
  command.add_flag("--smt", options->smt, "all hardware threads of a core, not one");
  command.add_flag("--functions", options->functions, "what each function did, too");
  command.add_flag("--regions", options->regions,
                   "a point of each region that the program marks (gable-marker.h, likwid's macros): NAME: "
                   "REGION, for --from NAME too");
  command.add_option("--flops", options->flops, "as known: nothing is counted")->check(not_negative());
  command.add_option("--load-bytes", options->load_bytes, "as known")->transform(amount_of_bytes());
  command.add_option("--store-bytes", options->store_bytes, "as known")->transform(amount_of_bytes());
  command.footer(
      "The program's output and input are those of the first run; the others read the same input and their "
      "output is "
      "dropped. If it fails, gable ends with its exit status and records nothing.");
  command.callback([options] { run_point(*options); });
}

}  // namespace gable::cli
