#include "cli/point/run/native_run.hpp"

#include <optional>
#include <string>
#include <utility>

#include "base/temporary_folder.hpp"
#include "bench/visit/watch.hpp"
#include "cli/text/message.hpp"
#include "model/statistics/statistics.hpp"
#include "points/counters/environment.hpp"
#include "points/orphans.hpp"
#include "points/samples/code_sampler.hpp"

namespace gable::cli {
namespace {

points::SampledRun run_program(const RunPlan& plan, const std::vector<std::string>& environment,
                               bool samples) {
  std::vector<std::string> command = plan.wrapper;
  command.insert(command.end(), plan.command.begin(), plan.command.end());
  points::SampledRun run;
  if (samples) {
    run = points::run_sampled(command, environment);
  } else {
    run.ending = points::run(command, environment);
  }
  points::require_success(command.front(), run.ending);
  return run;
}

// How many times as much CPU time a sampled run took as the timed ones did. Threads that wait for another one
// spin for longer where other programs hold this one up.
double excess_of(const NativeRun& sampled, const std::vector<NativeRun>& timed) {
  std::vector<double> cpu;
  for (const NativeRun& run : timed) cpu.push_back(run.usage.cpu_seconds());
  const double usual = model::median(cpu);
  return usual > 0 ? sampled.usage.cpu_seconds() / usual : 1;
}

// The observed run, or one that is more like the timed ones.
NativeRun sampled_run(const RunPlan& plan, const NativeRun& watched, const std::vector<NativeRun>& timed,
                      RepeatedInput& input, model::Point& program) {
  constexpr double alike = 1.25, longest = 60;  // seconds
  constexpr int most_runs = 3;
  NativeRun best = watched;
  for (int i = 0; i < most_runs && excess_of(best, timed) > alike; ++i) {
    if (watched.seconds > longest || !best.samples.missing.empty()) break;
    input.again();
    const Silence silence;
    NativeRun again = native_run(plan, true);
    if (again.usage.cpu_seconds() < best.usage.cpu_seconds()) best = std::move(again);
  }
  if (const double excess = excess_of(best, timed); excess > alike && best.samples.missing.empty())
    program.notes.push_back({model::NoteCode::sampled_run_longer, {excess}});
  return best;
}

// The timed runs are not sampled. If one run is too short for enough samples, the program runs again, as long
// as all these runs take a second at most.
points::CodeSamples enough_samples(const RunPlan& plan, const NativeRun& first, RepeatedInput& input) {
  constexpr double enough = 1000, longest = 1;
  constexpr int most_runs = 10;
  points::CodeSamples samples = first.samples;
  double seconds = first.seconds;
  for (int i = 0; i < most_runs && samples.missing.empty(); ++i) {
    if (samples.all >= enough || seconds + first.seconds > longest) break;
    input.again();
    const Silence silence;
    const NativeRun more = native_run(plan, true);
    samples += more.samples;
    seconds += more.seconds;
  }
  return samples;
}

}  // namespace

NativeRun native_run(const RunPlan& plan, bool samples) {
  std::optional<TemporaryFolder> folder;
  std::vector<std::string> environment;
  if (plan.regions) {
    folder.emplace("regions");
    environment.push_back("GABLE_MARKER_FILE=" + (folder->path / "regions").string());
  }
  if (samples && plan.repetitions != 1)
    for (std::string& set : points::sampling_environment()) environment.push_back(std::move(set));
  points::Orphans orphans;
  const bench::CpuTimes before = bench::cpu_times();
  points::SampledRun sampled = run_program(plan, environment, samples);
  const Ending& ending = sampled.ending;
  NativeRun run;
  run.samples = std::move(sampled.samples);
  run.others = competitors_between(before, bench::cpu_times());
  orphans.require_ended(plan.command.front(), ending);
  run.ending = ending;
  run.seconds = plan.program_seconds ? plan.program_seconds() : ending.seconds;
  if (!plan.program_seconds) run.usage = ending.usage;  // else the wrapper's is in it
  if (folder) run.regions = points::read_markers(folder->path, "regions");
  return run;
}

points::CodeSamples code_samples(const RunPlan& plan, const NativeRun& watched,
                                 const std::vector<NativeRun>& timed, RepeatedInput& input,
                                 model::Point& program) {
  if (timed.size() < 2) return watched.samples;
  return enough_samples(plan, sampled_run(plan, watched, timed, input, program), input);
}

}  // namespace gable::cli
