#include "points/profile/record.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/error.hpp"
#include "model/records/add_profile.hpp"
#include "points/counters/pmu.hpp"
#include "points/counters/unsupported.hpp"
#include "points/counters/valgrind.hpp"
#include "points/counters/valgrind_run.hpp"
#include "points/profile/build_id.hpp"
#include "points/profile/names.hpp"

namespace gable::points {
namespace {

void add_functions(const ValgrindFile& file, model::Profile& profile) {
  for (const FunctionCounts& each : file.functions) {
    profile.functions.push_back({each.function, each.object, static_cast<double>(each.work.flop_count()),
                                 static_cast<double>(each.work.load_bytes.value_or(0)),
                                 static_cast<double>(each.work.store_bytes.value_or(0))});
    profile.functions.back().arithmetic = arithmetic_of(each.work);
    profile.functions.back().instructions = each.work.instructions;
    profile.functions.back().loop = each.loop;
    profile.functions.back().line = each.line;
  }
}

std::string note_on(const ValgrindRun& run, const std::string& program) {
  std::vector<int> lost;
  for (const ValgrindFile& file : run.files) {
    if (!file.whole) lost.push_back(file.process.pid);
  }
  if (run.ending.status != 0)
    return fmt::format("{} {}: the profile ends there", program, in_words(run.ending));
  if (lost.empty()) return {};
  return fmt::format("process {} was killed before it wrote its profile", lost.front());
}

// Of all instructions; 0 without any.
double part_of_busiest(const std::vector<Work>& threads) {
  double most = 0, all = 0;
  for (const Work& work : threads) {
    most = std::max(most, work.instructions.executed);
    all += work.instructions.executed;
  }
  return all > 0 ? most / all : 0;
}

// The profile of all images of all processes; nothing if none left one.
std::optional<model::Profile> merged(const ValgrindRun& run) {
  std::optional<model::Profile> all;
  std::vector<Work> threads;
  for (const ValgrindFile& file : run.files) {
    if (!file.whole || !file.profile) continue;
    threads.insert(threads.end(), file.process.threads.begin(), file.process.threads.end());
    model::Profile profile = *file.profile;
    add_functions(file, profile);
    profile.busiest_thread = part_of_busiest(file.process.threads);
    if (!all) {
      all = std::move(profile);
    } else {
      model::add_profile(*all, profile);
      ++all->processes;
    }
    all->threads = std::max(1, working_threads(threads));
  }
  return all;
}

ValgrindRun run_for_profile(const Program& program, bool by_line, const std::string& otherwise) {
  return run_under_valgrind(program,
                            {"--profile=yes", fmt::format("--profile-lines={}", by_line ? "yes" : "no"),
                             "--read-inline-info=yes", "--num-callers=24", "--fullpath-after="},
                            otherwise);
}

model::Profile profile_of(const ValgrindRun& run, const Program& program) {
  std::optional<model::Profile> profile = merged(run);
  if (!profile) {
    const int status = run.ending.status;
    throw Error::program(
        fmt::format("{} {} before it wrote a profile", program.command.front(), in_words(run.ending)),
        status == 0 ? 1 : status);
  }
  profile->command = program.command;
  profile->architecture = program_kind.name;
  profile->signal = run.ending.signal;
  profile->build = build_id(find_program(program.command.front()));
  name_allocations(*profile);
  return *std::move(profile);
}

}  // namespace

ProfileRun record_profile(const Program& program, bool by_line) {
  const ValgrindRun run = run_for_profile(program, by_line, "");
  return {profile_of(run, program), run.ending.status, note_on(run, program.command.front())};
}

Counts count_with_profile(const Program& program) {
  ValgrindRun run = run_for_profile(program, false, pmu_backend.unavailable().empty() ? "--counter pmu" : "");
  require_success(program.command.front(), run.ending);
  check_whole(run);
  model::Profile profile = profile_of(run, program);
  Counts counts = counts_of(std::move(run), profile_backend.name);
  counts.profile = std::move(profile);
  return counts;
}

}  // namespace gable::points
