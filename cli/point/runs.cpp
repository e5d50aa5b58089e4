#include "cli/point/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "base/temporary_folder.hpp"
#include "cli/point/figures.hpp"
#include "cli/point/input.hpp"
#include "points/counters/marker.hpp"
#include "points/residence.hpp"
#include "points/run.hpp"

namespace gable::cli {
namespace {

void say_of_run(const std::string& text) {
  std::fputs(fmt::format("gable: {}\n", text).c_str(), stderr);  // nobody may read it
}

struct NativeRun {
  double seconds = 0;
  std::vector<points::MarkedRegion> regions;
};

NativeRun native_run(const RunPlan& plan) {
  std::optional<TemporaryFolder> folder;
  std::vector<std::string> environment;
  if (plan.regions) {
    folder.emplace("regions");
    environment.push_back("GABLE_MARKER_FILE=" + (folder->path / "regions").string());
  }
  std::vector<std::string> command = plan.wrapper;
  command.insert(command.end(), plan.command.begin(), plan.command.end());
  const points::Ending ending = points::run(command, environment);
  points::require_success(command.front(), ending);
  NativeRun run;
  run.seconds = ending.seconds;
  if (folder) run.regions = points::read_markers(folder->path, "regions");
  return run;
}

// Runs as long as they are worth their time: an interval wants several, and nobody waits for hours.
int repetitions_for(double seconds) {
  constexpr double budget = 30, too_long = 60;
  if (seconds > too_long) return 1;
  return std::clamp(static_cast<int>(budget / seconds), 3, 7);
}

// Those that are timed. Looking at a program's pages holds it up, so the watched run is none of them unless
// it is to be the only one.
std::vector<NativeRun> timed_runs(const RunPlan& plan, const NativeRun& watched, RepeatedInput& input,
                                  model::Point& program) {
  const int count = plan.repetitions > 0 ? plan.repetitions : repetitions_for(watched.seconds);
  if (count == 1) {
    program.notes.push_back("timed in the run in which its pages were looked at, which costs up to 1 %");
    return {watched};
  }
  say_of_run(fmt::format("{} runs for the time", count));
  if (input.was_pipe())
    program.notes.push_back(
        "its input was a pipe; in the timed runs it was a file, for which there is no waiting");
  std::vector<NativeRun> runs;
  while (static_cast<int>(runs.size()) < count) {
    input.again();
    const Silence silence;
    runs.push_back(native_run(plan));
  }
  return runs;
}

points::Counts counted_run(const RunPlan& plan) {
  say_of_run(fmt::format("counting with {}", plan.backend->name));
  const Silence silence;
  return plan.backend->count({plan.command, {}, plan.functions});
}

void set_counts(const RunPlan& plan, const points::Counts& counts, model::Point& point) {
  set_flops(point, counts);
  set_functions(point, counts);
  note_uneven_threads(point, counts);
  if (plan.bytes_given) {
    point.notes.push_back("bytes as given on the command line");
  } else {
    set_bytes(point, counts.total);
  }
}

// The work that the program states; false where it states none.
bool set_stated(model::Point& point, const points::MarkedRegion& region) {
  point.counter = "marker";
  point.flops = region.flops;
  point.load_bytes = region.load_bytes;
  point.store_bytes = region.store_bytes;
  return region.flops + region.load_bytes + region.store_bytes > 0;
}

void note_region(model::Point& point, const points::RegionCounts& counted,
                 const points::MarkedRegion& timed) {
  constexpr double little = 0.01;
  const auto others = static_cast<double>(counted.of_others.flop_count());
  if (others > little * point.flops) {
    point.notes.push_back(
        counted.threads == 1
            ? "one thread marks it: the work of the other threads during that time is counted with it"
            : fmt::format(
                  "threads that were not inside did {:.3g} flops meanwhile, which are not counted: mark "
                  "it in every thread that works for it",
                  others));
  }
  if (counted.calls != timed.calls) {
    point.notes.push_back(fmt::format("entered {} times when it was timed and {} times when it was counted",
                                      timed.calls, counted.calls));
  }
}

// The work that was counted. False where there is none.
bool set_counted(model::Point& point, const points::MarkedRegion& region, const points::Counts& counts) {
  const auto counted =
      std::find_if(counts.regions.begin(), counts.regions.end(),
                   [&](const points::RegionCounts& each) { return each.region == region.name; });
  if (counted == counts.regions.end()) {
    throw points::CountError(
        fmt::format("the region '{}' is marked when the program runs by itself, and not under the counter "
                    "{}: was it compiled "
                    "with an older gable-marker.h?",
                    region.name, counts.counter));
  }
  points::Counts of_region;
  of_region.counter = counts.counter;
  of_region.total = counted->work;
  of_region.notes = counts.notes;
  set_flops(point, of_region);
  set_bytes(point, counted->work);
  note_region(point, *counted, region);
  return point.flops + point.load_bytes + point.store_bytes > 0;
}

// One point a region that has any work; the others are named.
std::vector<model::Point> region_points(const model::Point& program, const std::vector<NativeRun>& runs,
                                        const std::optional<points::Counts>& counts) {
  std::map<std::string, std::vector<double>> seconds;
  for (const NativeRun& run : runs) {
    for (const points::MarkedRegion& region : run.regions) seconds[region.name].push_back(region.seconds);
  }
  std::vector<model::Point> points;
  for (const points::MarkedRegion& region : runs.front().regions) {
    model::Point point = program;
    point.name += ": " + region.name;
    point.region = region.name;
    point.threads = std::max(program.threads, region.threads);  // those that mark it need not be all
    set_seconds(point, seconds[region.name]);
    if (counts ? set_counted(point, region, *counts) : set_stated(point, region)) {
      points.push_back(point);
    } else {
      say_of_run(fmt::format(
          "region '{}': {:.4g} s; no point, since it {}", region.name, point.seconds,
          counts ? "does no work" : "states no work; `--regions` without `--counter marker` counts it"));
    }
  }
  if (points.empty() && counts) throw points::CountError("no marked region does any work");
  if (points.empty())
    throw points::CountError(
        "no marked region states its work: call gable_marker_work in them, or have it counted: --regions "
        "without --counter marker");
  return points;
}

}  // namespace

std::vector<model::Point> run_points(const RunPlan& plan, model::Point program) {
  const PipeSignal pipe_signal;
  RepeatedInput input;
  points::ResidenceWatch watch(plan.watch_cpus);
  const NativeRun watched = native_run(plan);
  set_residence(program, watch.stop());
  std::optional<points::Counts> counts;
  if (plan.backend != nullptr) {
    input.again();
    counts = counted_run(plan);
  }
  const std::vector<NativeRun> runs = timed_runs(plan, watched, input, program);
  if (plan.regions) return region_points(program, runs, counts);
  if (counts) set_counts(plan, *counts, program);
  std::vector<double> seconds;
  seconds.reserve(runs.size());
  for (const NativeRun& run : runs) seconds.push_back(run.seconds);
  set_seconds(program, seconds);
  return {program};
}

}  // namespace gable::cli
