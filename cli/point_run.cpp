// gable point run: a program timed natively, watched for where its data lies, and counted in a run of its
// own.

#include <fmt/format.h>

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "cli/point.hpp"
#include "cli/point_counters.hpp"
#include "cli/point_figures.hpp"
#include "cli/point_input.hpp"
#include "cli/points_file.hpp"
#include "cli/recording.hpp"
#include "kernels/kernel.hpp"
#include "machines/json.hpp"
#include "points/backends.hpp"
#include "points/marker.hpp"
#include "points/policy.hpp"
#include "points/residence.hpp"
#include "points/run.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  PointOptions point;
  std::vector<std::string> command;
  std::string counter = "auto";
  std::string policy = "first-touch";
  int repetitions = 0;  // 0: as many as seem worth their time
  bool smt = false;
  bool functions = false;
  std::optional<double> flops, load_bytes, store_bytes;

  bool given() const { return flops && load_bytes; }
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

// Runs as long as they are worth their time: an interval wants several, and nobody waits for hours.
int repetitions_for(double seconds) {
  constexpr double budget = 30, too_long = 60;
  if (seconds > too_long) return 1;
  return std::clamp(static_cast<int>(budget / seconds), 3, 7);
}

double timed_run(const RunOptions& options, const std::vector<std::string>& environment = {}) {
  const points::Ending ending = points::run(options.command, environment);
  points::require_success(options.command.front(), ending);
  return ending.seconds;
}

void say(const std::string& text) {
  fmt::print(stderr, "gable: {}\n", text);
}

// The first run, as the user would see it; then the count; then the other runs, all silent.
// Returns the functions as text.
std::string run_all(const RunOptions& options, const points::Backend* backend, model::Point& point) {
  std::string functions;
  const PipeSignal pipe_signal;
  RepeatedInput input;
  std::vector<double> seconds;
  points::ResidenceWatch watch;
  seconds.push_back(timed_run(options));
  set_residence(point, watch.stop());
  if (backend != nullptr) {
    input.again();
    say(fmt::format("counting with {}", backend->name));
    const Silence silence;
    const points::Counts counts = backend->count({options.command, {}, options.functions});
    set_flops(point, counts);
    if (!counts.functions.empty()) functions = function_table(counts);
    if (options.load_bytes) {
      point.notes.push_back("bytes as given on the command line");
    } else {
      set_bytes(point, counts.total);
    }
  }
  const int runs = options.repetitions > 0 ? options.repetitions : repetitions_for(seconds.front());
  if (runs > 1) say(fmt::format("{} more run{} for the interval", runs - 1, runs == 2 ? "" : "s"));
  while (static_cast<int>(seconds.size()) < runs) {
    input.again();
    const Silence silence;
    seconds.push_back(timed_run(options));
  }
  set_seconds(point, seconds);
  return functions;
}

// A folder for the files of marked regions; gone with the object.
class MarkerFolder {
 public:
  MarkerFolder() {
    std::string name = fs::temp_directory_path() / "gable-markers-XXXXXX";
    if (mkdtemp(name.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), "cannot make " + name);
    path = name;
  }
  ~MarkerFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  MarkerFolder(const MarkerFolder&) = delete;
  MarkerFolder& operator=(const MarkerFolder&) = delete;

  fs::path path;
};

std::vector<points::MarkedRegion> marked_run(const RunOptions& options) {
  const MarkerFolder folder;
  timed_run(options, {"GABLE_MARKER_FILE=" + (folder.path / "regions").string()});
  return points::read_markers(folder.path, "regions");
}

// One point a region that states its work; the others are named.
std::vector<model::Point> marked_points(const std::vector<points::MarkedRegion>& regions,
                                        const model::Point& program,
                                        std::map<std::string, std::vector<double>>& seconds) {
  std::vector<model::Point> points;
  for (const points::MarkedRegion& region : regions) {
    if (region.flops + region.load_bytes + region.store_bytes <= 0) {
      say(fmt::format("region '{}': {:.4g} s; no point, since it states no work (gable_marker_work)",
                      region.name, seconds[region.name].front()));
      continue;
    }
    model::Point point = program;
    point.name += ": " + region.name;
    point.region = region.name;
    point.counter = "marker";
    point.flops = region.flops;
    point.load_bytes = region.load_bytes;
    point.store_bytes = region.store_bytes;
    point.threads = std::max(program.threads, region.threads);  // those that mark it need not be all
    set_seconds(point, seconds[region.name]);
    points.push_back(point);
  }
  if (points.empty())
    throw points::CountError("no marked region states its work: call gable_marker_work in them");
  return points;
}

std::vector<model::Point> run_marked(const RunOptions& options, model::Point program) {
  const PipeSignal pipe_signal;
  RepeatedInput input;
  std::map<std::string, std::vector<double>> seconds;
  const auto note = [&](const std::vector<points::MarkedRegion>& regions) {
    for (const points::MarkedRegion& region : regions) seconds[region.name].push_back(region.seconds);
  };
  points::ResidenceWatch watch;
  const auto began = std::chrono::steady_clock::now();
  const std::vector<points::MarkedRegion> first = marked_run(options);
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  set_residence(program, watch.stop());
  note(first);
  const int runs = options.repetitions > 0 ? options.repetitions : repetitions_for(whole);
  for (int run = 1; run < runs; ++run) {
    input.again();
    const Silence silence;
    note(marked_run(options));
  }
  return marked_points(first, program, seconds);
}

void run_point(const RunOptions& options) {
  if (options.command.empty()) throw UsageError("which program? gable point run DIR -- ./app arguments");
  if ((options.flops || options.store_bytes) && !options.load_bytes)
    throw UsageError("--flops and --store-bytes need --load-bytes");
  const machines::Machine machine = machine_of(options);
  const points::Policy policy = policy_of(options, machine);
  model::Point point = point_from(options.point);
  if (point.name.empty()) point.name = default_name(options);
  const std::vector<unsigned> cpus = cpus_of(machine, point, options.smt);
  if (cpus.empty() || (point.cluster < 0 && machine.clusters.size() < 2)) {
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
  const bool marked = options.counter == "marker";
  const points::Backend* const backend =
      options.given() || marked ? nullptr : &points::choose_backend(options.counter);
  points::find_program(options.command.front());
  if (backend != nullptr && backend->name == "pmu") {
    if (!options.load_bytes)
      throw UsageError(
          "--counter pmu: it counts flops but no bytes: give --load-bytes and --store-bytes too");
    require_true_pmu();
  }
  std::vector<model::Point> made;
  std::string functions;
  {
    const points::AppliedCpus applied_cpus(cpus);
    const points::AppliedPolicy applied(policy);
    if (marked) {
      made = run_marked(options, point);
    } else {
      functions = run_all(options, backend, point);
      made = {point};
    }
  }
  for (const model::Point& each : made) record_point(options.point.folder, each);
  fmt::print("{}", functions);
}

}  // namespace

void define_point_run(CLI::App& command) {
  const auto options = std::make_shared<RunOptions>();
  std::vector<std::string> counters = {"auto", "marker"};
  for (const points::Backend& backend : points::backends()) counters.emplace_back(backend.name);
  add_folder_option(command, options->point);
  command.add_option("COMMAND", options->command, "the program and its arguments, after --");
  command.add_option("--name", options->point.name,
                     "its label (default: the program's name); replaces a point of the same name");
  command.add_option("--counter", options->counter, "what counts flops and bytes")
      ->check(CLI::IsMember(counters))
      ->capture_default_str();
  command
      .add_option("--policy", options->policy,
                  "first-touch, interleave[:N,...], bind:N, preferred:N, weighted[:N=W,...]")
      ->capture_default_str();
  command.add_option("--repetitions", options->repetitions, "native runs (default: 3 to 7 in half a minute)")
      ->check(CLI::PositiveNumber);
  command.add_flag("--smt", options->smt, "all hardware threads of a core, not one");
  command.add_flag("--functions", options->functions, "print what each function did");
  command.add_option("--flops", options->flops, "as known: nothing is counted")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--load-bytes", options->load_bytes, "as known")->check(CLI::NonNegativeNumber);
  command.add_option("--store-bytes", options->store_bytes, "as known")->check(CLI::NonNegativeNumber);
  command.footer(
      "The program's output and input are those of the first run; the others read the same input and their "
      "output is "
      "dropped. If it fails, gable ends with its exit status and records nothing.");
  command.callback([options] { run_point(*options); });
}

}  // namespace gable::cli
