#include "cli/point/run/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "bench/visit/watch.hpp"
#include "cli/point/measured_point.hpp"
#include "cli/point/run/native_run.hpp"
#include "cli/point/run/parts.hpp"
#include "cli/text/message.hpp"
#include "points/residence.hpp"
#include "points/run.hpp"
#include "points/samples/by_function.hpp"

namespace gable::cli {
namespace {

// Runs as long as they are worth their time: an interval wants several, and nobody waits for hours.
int repetitions_for(double seconds) {
  constexpr double budget = 30, too_long = 60;
  if (seconds > too_long) return 1;
  return std::clamp(static_cast<int>(budget / seconds), 3, 7);
}

Competitors seen_in(const std::vector<NativeRun>& runs) {
  Competitors seen;
  const int cpus = bench::cpu_times().cpus;
  for (const NativeRun& run : runs) seen = together(seen, run.others, cpus);
  return seen;
}

// Keeps the runs with the fewest competitors, and tells how many there were.
void keep_quiet(std::vector<NativeRun>& runs, int count, model::Point& program) {
  constexpr double much_stolen = 0.05;
  const auto all = std::ssize(runs);
  sort_by(runs, [](const NativeRun& run) { return run.is_disturbed() ? run.others.had() : 0; });
  runs.resize(static_cast<std::size_t>(count));
  const Competitors seen = seen_in(runs);
  if (seen.disturbs || std::ranges::any_of(runs, &NativeRun::is_disturbed)) program.other_cpus = seen.had();
  if (program.other_cpus > 0 && seen.cpus > seen.stolen) {
    program.notes.push_back({model::NoteCode::others_busy_while_timed, {seen.cpus}});
  } else if (program.other_cpus <= 0 && all > count) {
    program.notes.push_back({model::NoteCode::runs_left_out, {count_text(all - count, "run")}});
  }
  if (seen.stolen > much_stolen) program.notes.push_back({model::NoteCode::cpus_stolen, {seen.stolen}});
}

// The runs that are timed. Looking at a program's pages holds it up, so the watched run is none of them
// unless it is to be the only one.
std::vector<NativeRun> timed_runs(const RunPlan& plan, const NativeRun& watched, RepeatedInput& input,
                                  double watch_cost, model::Point& program) {
  const int count = plan.repetitions > 0 ? plan.repetitions : repetitions_for(watched.seconds);
  if (count == 1) {
    program.notes.push_back({watched.samples.all > 0 ? model::NoteCode::timed_while_sampled
                                                     : model::NoteCode::timed_while_observed,
                             {std::max(1.0, std::ceil(100 * watch_cost))}});
    std::vector<NativeRun> only = {watched};
    keep_quiet(only, 1, program);
    return only;
  }
  tell(fmt::format("{} timed runs", count));
  if (input.was_pipe()) program.notes.emplace_back(model::NoteCode::input_was_pipe);
  std::vector<NativeRun> runs;
  const auto quiet = [&] { return std::ranges::count(runs, false, &NativeRun::is_disturbed); };
  // Where every run is disturbed, more of them would be, too.
  while (std::ssize(runs) < count || (quiet() > 0 && quiet() < count && std::ssize(runs) < 2 * count)) {
    input.again();
    const Silence silence;
    runs.push_back(native_run(plan));
  }
  keep_quiet(runs, count, program);
  return runs;
}

// A program that works for a given time does less under Valgrind, where the same work takes many times as
// long: then what was counted is not what is timed. It looks at the clock again and again, or sets a timer,
// and takes as long as by itself, by the wall clock or by CPU time.
void require_same_work(const points::Counts& counts, const std::vector<NativeRun>& timed) {
  constexpr double least = 0.1, alike = 1.1, more = 3;
  constexpr double start = 3, start_cpu = 0.3;  // seconds of Valgrind's own start; on a busy machine it waits
  constexpr std::uint64_t again_and_again = 3;
  double user = 0, seconds = 0;
  for (const NativeRun& run : timed) {
    user += run.usage.user_seconds / static_cast<double>(timed.size());
    seconds += run.seconds / static_cast<double>(timed.size());
  }
  const bool may_stop_by_time = counts.clock_reads >= again_and_again || counts.timers > 0;
  if (counts.user_seconds <= 0 || user < least || !may_stop_by_time) return;
  const bool by_cpu_time = counts.user_seconds <= alike * user + start_cpu;
  const bool by_clock = counts.seconds <= alike * seconds + start && counts.user_seconds < more * user;
  if (!by_cpu_time && !by_clock) return;
  throw Error::failed(fmt::format(
      "what was counted is not what was timed: the program took {:.3g} s ({:.3g} s of CPU time) when it was "
      "timed and {:.3g} s ({:.3g} s) under Valgrind, where the same work takes many times as long, and it "
      "{}. If it works for a given time, give it a given amount of work, or mark regions that report theirs "
      "(--counter marker)",
      seconds, user, counts.seconds, counts.user_seconds,
      counts.timers > 0 ? "set " + count_text(counts.timers, "timer")
                        : "asked for the time " + count_text(counts.clock_reads, "time")));
}

points::Counts counted_run(const RunPlan& plan) {
  tell(fmt::format("counting with {}", plan.backend->name));
  const Silence silence;
  return plan.backend->count({plan.counted.empty() ? plan.command : plan.counted, plan.functions});
}

void set_measured_functions(const RunPlan& plan, const points::Counts& counts, points::CodeSamples samples,
                            model::Point& point) {
  if (!plan.counted.empty()) samples.missing = model::NoteCode::sampled_other_program;
  set_samples(point, points::by_function(samples, counts));
}

void set_counts(const RunPlan& plan, const points::Counts& counts, model::Point& point) {
  set_flops(point, counts);
  set_functions(point, counts);
  if (plan.bytes_given) {
    note_uneven_threads(point, counts);
    point.notes.emplace_back(model::NoteCode::bytes_given);
  } else {
    set_bytes(point, counts.total);
  }
}

MadePoints made_points(const RunPlan& plan, model::Point program, RepeatedInput& input) {
  if (plan.again) input.again();
  std::optional<Silence> silence;
  if (plan.again) silence.emplace();
  const bool by_cluster = !plan.regions && !plan.bytes_given && program.cluster < 0;
  points::ResidenceWatch watch(plan.watch_cpus, plan.clusters, by_cluster);
  const NativeRun watched = native_run(plan, plan.samples);
  const points::Residence seen = watch.stop(watched.ending);
  silence.reset();
  set_residence(program, seen);
  std::optional<points::Counts> counts = plan.counts;
  if (!counts && plan.backend != nullptr) {
    input.again();
    counts = counted_run(plan);
  }
  program.threads = threads_of(seen, counts);
  if (seen.cores < program.threads) program.cores = seen.cores;
  const std::vector<NativeRun> runs = timed_runs(plan, watched, input, seen.cost, program);
  if (counts) require_same_work(*counts, runs);
  if (plan.regions) {
    std::vector<std::vector<points::MarkedRegion>> regions;
    for (const NativeRun& run : runs) regions.push_back(run.regions);
    if (counts && counts->profile) program.samples.missing = model::NoteCode::sampled_over_regions;
    return {region_points(program, regions, counts, seen_in(runs).stolen), counts, seen.ranges};
  }
  if (counts) set_counts(plan, *counts, program);
  if (counts && plan.samples)
    set_measured_functions(plan, *counts, code_samples(plan, watched, runs, input, program), program);
  set_times(program, runs);
  if (counts && by_cluster)
    return {points_by_cluster(program, *counts, seen, plan.clusters), counts, seen.ranges};
  if (program.threads == 0) program.notes.emplace_back(model::NoteCode::threads_unknown);
  return {{program}, counts, seen.ranges};
}

}  // namespace

MadePoints run_points(const RunPlan& plan, const model::Point& program, RepeatedInput& input) {
  MadePoints made = made_points(plan, program, input);
  if (!made.counts || plan.bytes_given) return made;
  if (made.counts->profile) made.counts->profile->started = program.started;
  for (model::Point& point : made.points) {
    set_levels(point, *made.counts, plan.folder, made.ranges);
    if (!plan.functions)
      std::erase_if(point.functions, [&](const model::FunctionWork& work) { return is_small(work, point); });
  }
  return made;
}

}  // namespace gable::cli
