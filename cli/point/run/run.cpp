#include "cli/point/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "cli/folder.hpp"
#include "cli/point/measured_point.hpp"
#include "cli/point/run/runs.hpp"
#include "cli/points_file.hpp"
#include "cli/recording.hpp"
#include "cli/text/arguments.hpp"
#include "kernels/kernel.hpp"
#include "machines/json.hpp"
#include "model/json/points.hpp"
#include "points/counters/counts.hpp"
#include "points/policy.hpp"
#include "points/profile/record.hpp"
#include "points/run.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

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
machines::Machine machine_of(const PointRunArguments& arguments) {
  points_of(arguments.point.folder);
  background_of(arguments.point.folder);
  machines::Machine machine = machines::this_machine();
  const machines::Host host = machines::this_host();
  if (fs::exists(file_in(arguments.point.folder, "machine.json"))) {
    require_same_machine(arguments.point.folder, machines::machine_json(machine, &host, kernels::isas(), {}));
  }
  return machine;
}

points::Policy policy_of(const PointRunArguments& arguments, const machines::Machine& machine) {
  std::vector<unsigned> nodes;
  for (const machines::Node& node : machine.nodes) {
    if (node.bytes > 0) nodes.push_back(node.os_index);
  }
  const points::Policy policy = points::parse_policy(arguments.policy, nodes);
  if (const std::string wrong = points::wrong_weights(policy); !wrong.empty())
    throw Error::usage(fmt::format("--policy {}: {}", arguments.policy, wrong));
  return policy;
}

std::string default_name(const PointRunArguments& arguments) {
  std::string name = program_name(arguments.command);
  if (arguments.policy != "first-touch") name += " " + arguments.policy;
  return name;
}

// The counter that is to count; none where everything is given or stated.
const points::Backend* backend_of(const PointRunArguments& arguments) {
  if (arguments.given() || arguments.counter == "marker") return nullptr;
  if (!arguments.regions) return &points::choose_backend(arguments.counter);
  if (arguments.counter == "pmu")
    throw Error::usage(
        "--counter pmu: it counts whole programs; --regions needs profile, valgrind or marker");
  return &points::choose_backend(arguments.counter, true);
}

// Whether the counted run tells functions.
bool counts_functions(const RunPlan& plan, const PointRunArguments& arguments) {
  if (plan.backend == nullptr || arguments.marked()) return false;
  return plan.backend->name == points::profile_backend.name || arguments.functions;
}

// What is known before anything runs.
model::Point point_of(const PointRunArguments& arguments, const machines::Machine& machine) {
  model::Point point = point_from(arguments.point);
  if (point.name.empty()) point.name = default_name(arguments);
  if (const std::string wrong = model::wrong_name(point.name); !wrong.empty())
    throw Error::usage(fmt::format("no point '{}': {}; --name gives it another one", point.name, wrong));
  if (point.cluster < 0 && machine.clusters.size() < 2) {
    throw Error::usage(fmt::format("{}: has other clusters than this machine, which has {}",
                                   arguments.point.folder, machine.clusters.size()));
  }
  point.policy = arguments.policy;
  point.command = arguments.command;
  point.environment = environment_that_matters();
  point.load_bytes = arguments.load_bytes.value_or(0);
  point.store_bytes = arguments.store_bytes.value_or(0);
  point.flops = arguments.flops.value_or(0);
  point.counter = "given";
  if (arguments.given() && point.flops + point.load_bytes + point.store_bytes <= 0)
    throw Error::usage("--flops and --load-bytes: both are 0, so there is nothing to compare with roofs");
  if (!arguments.wrapper.empty()) point.notes.push_back({model::NoteCode::run_through, {arguments.wrapper}});
  if (!arguments.counted.empty())
    point.notes.push_back({model::NoteCode::counted_in_other_build, {arguments.counted}});
  return point;
}

// The words of a command that an option gives, whose program is there.
std::vector<std::string> command_of(const std::string& text, const std::string& option) {
  std::vector<std::string> words = shell_words(text, option);
  if (!words.empty()) points::find_program(words.front());
  return words;
}

// The part of a point's name that a marked region or a cluster adds to the program's.
std::string part_of_name(const model::Point& part) {
  if (!part.region.empty()) return ": " + part.region;
  return part.cluster >= 0 ? fmt::format(" (cluster {})", part.cluster) : "";
}

// A name of several clusters is known if one of them has a point of this name.
bool is_of_clusters(const std::string& folder, const std::string& name) {
  return std::ranges::any_of(points_of(folder), [&](const model::Point& each) {
    return each.cluster >= 0 && each.name == name + part_of_name(each);
  });
}

// What --from names must be there before anything runs; of marked regions, as far as is known before.
void check_from(const PointRunArguments& arguments, const model::Point& point) {
  const bool other = point.name != point.from;
  if (other && point.cluster < 0 && is_of_clusters(arguments.point.folder, point.from)) return;
  if (point.from.empty() || !arguments.marked()) return require_from(arguments.point.folder, point);
  bool known = false;
  for (const model::Point& each : points_of(arguments.point.folder)) {
    if (each.region.empty() || each.name != point.from + ": " + each.region) continue;
    known = true;
    model::Point region = point;
    region.name += ": " + each.region;
    region.from = each.name;
    require_from(arguments.point.folder, region);
  }
  if (!known) {
    throw Error::usage(
        fmt::format("--from {}: {}/points.json has no point of a region of it ('{}: REGION'); give "
                    "the name before the colon",
                    point.from, arguments.point.folder, point.from));
  }
}

// The point of a marked region or a cluster comes from the same part of the program that --from names, or
// that ran unmanaged; without such a point it comes from the program's own.
void set_from(std::vector<model::Point>& made, const std::string& folder) {
  std::vector<model::Point> known = points_of(folder);
  known.insert(known.end(), made.begin(), made.end());
  for (model::Point& point : made) {
    if (point.from.empty()) continue;
    const auto is_known = [&](const std::string& name) {
      return std::ranges::any_of(known, [&](const auto& each) { return each.name == name; });
    };
    const bool part = point.name.ends_with(part_of_name(point));
    if (const std::string same = point.from + part_of_name(point); part && is_known(same)) {
      point.from = same;
    } else if (!point.region.empty() || !is_known(point.from)) {
      point.from.clear();
    }
  }
}

// The first point of several stands for all: they ran together.
void note_stale_roofs(const std::string& folder, const machines::Machine& machine,
                      std::vector<model::Point>& made) {
  for (const model::Note& note : stale_roofs(machine, background_of(folder), made.front())) {
    for (model::Point& point : made) point.notes.push_back(note);
  }
}

// The profile of the counted run; none if the points have bytes of other origin.
const model::Profile* kept_profile(const RunPlan& plan, const MadePoints& made) {
  return made.counts && made.counts->profile && !plan.bytes_given ? &*made.counts->profile : nullptr;
}

void check(const PointRunArguments& arguments) {
  if (arguments.command.empty())
    throw Error::usage("no program given: gable point run DIR -- ./app arguments");
  if ((arguments.flops || arguments.store_bytes) && !arguments.load_bytes)
    throw Error::usage("--flops and --store-bytes need --load-bytes");
  if (arguments.given() && arguments.counter != "auto")
    throw Error::usage(fmt::format("--counter {}: with --flops and --load-bytes there is nothing to count",
                                   arguments.counter));
  if (!arguments.counted.empty() && (arguments.given() || arguments.counter == "marker"))
    throw Error::usage(
        "--counted: with --flops and --load-bytes, or --counter marker, there is nothing to count");
  if (!arguments.marked()) return;
  if (arguments.flops || arguments.load_bytes)
    throw Error::usage(
        "--flops and --load-bytes describe the whole program: leave out these two or --regions");
  if (arguments.functions)
    throw Error::usage("--functions describes the whole program: leave out --functions or --regions");
}

// The program by itself, then under each policy.
MadePoints run_all(RunPlan plan, model::Point point, const std::vector<std::string>& policies) {
  RepeatedInput input;
  MadePoints made = run_points(plan, point, input);
  plan.counts = made.counts;
  if (!made.points.empty()) point.huge_pages_percent = made.points.front().huge_pages_percent;
  for (const std::string& policy : policies) {
    const std::vector<model::Point> more = run_managed_points(plan, point, policy, input);
    made.points.insert(made.points.end(), more.begin(), more.end());
  }
  return made;
}

}  // namespace

void run_point(const PointRunArguments& arguments) {
  check(arguments);
  require_recording(arguments.point.folder);
  require_writable(arguments.point.folder);
  const machines::Machine machine = machine_of(arguments);
  const points::Policy policy = policy_of(arguments, machine);
  points::find_program(arguments.command.front());
  const model::Point point = point_of(arguments, machine);
  check_from(arguments, point);
  const std::vector<unsigned> cpus = cpus_of(machine, point, arguments.smt);
  RunPlan plan;
  plan.command = arguments.command;
  plan.wrapper = command_of(arguments.wrapper, "--wrapper");
  plan.counted = command_of(arguments.counted, "--counted");
  plan.backend = backend_of(arguments);
  plan.folder = arguments.point.folder;
  plan.bytes_given = arguments.load_bytes.has_value();
  plan.functions = arguments.functions;
  plan.samples = counts_functions(plan, arguments);
  plan.regions = arguments.marked();
  plan.repetitions = arguments.repetitions;
  plan.clusters = machine.clusters;
  if (plan.backend != nullptr && plan.backend->name == "pmu") {
    if (!arguments.load_bytes)
      throw Error::usage(
          "--counter pmu: it counts flops but no bytes: give --load-bytes and --store-bytes too");
    require_true_pmu();
  }
  MadePoints made;
  {
    const points::AppliedCpus applied_cpus(cpus);
    const points::AppliedPolicy applied(policy);
    plan.watch_cpus = applied_cpus.others();
    made = run_all(plan, point, arguments.managed);
  }
  note_stale_roofs(arguments.point.folder, machine, made.points);
  set_from(made.points, arguments.point.folder);
  record_points(arguments.point.folder, made.points,
                {arguments.point.json, arguments.functions, kept_profile(plan, made)});
}

}  // namespace gable::cli
