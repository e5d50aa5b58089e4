#include "points/counters/valgrind.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "points/counters/marker.hpp"
#include "points/counters/pmu.hpp"
#include "points/counters/valgrind_run.hpp"
#include "points/profile/build_id.hpp"

namespace gable::points {

namespace {

// The work of `all` minus that of `some`.
Work rest_of(const Work& all, const Work& some) {
  Work rest = {{}, *all.load_bytes - *some.load_bytes, *all.store_bytes - *some.store_bytes};
  for (Flops sort : all.flops) {
    for (const Flops& done : some.flops) {
      if (std::tie(done.operation, done.precision, done.vector_bits) ==
          std::tie(sort.operation, sort.precision, sort.vector_bits))
        sort.count -= done.count;
    }
    if (sort.count > 0) rest.flops.push_back(sort);
  }
  return rest;
}

void add_region(const ValgrindRegion& from, std::vector<RegionCounts>& regions) {
  require_closed(from.region, from.open);
  auto same =
      std::ranges::find_if(regions, [&](const RegionCounts& region) { return region.region == from.region; });
  if (same == regions.end())
    same = regions.insert(regions.end(), {from.region, 0, 0, {{}, 0, 0}, {{}, 0, 0}});
  same->threads += from.threads;
  same->calls += from.calls;
  same->work += from.threads == 1 ? from.meanwhile : from.work;
  same->of_others += rest_of(from.meanwhile, from.work);
}

// Valgrind keeps files for itself, and gives the program the rest. Empty if they are enough.
std::string too_few_files() {
  constexpr rlim_t kept = 12, few = 16;  // N_RESERVED_FDS of coregrind; what small programs need
  rlimit files = {};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return {};
  const rlim_t left = files.rlim_max < kept ? 0 : files.rlim_max - kept;
  if (left >= std::min(files.rlim_cur, few)) return {};
  return fmt::format(
      "at most {} files may be open at once (ulimit -Hn), of which Valgrind needs {} for itself: allow {} or "
      "more",
      files.rlim_max, kept, kept + few + few);
}

}  // namespace

Counts counts_of(ValgrindRun run, std::string_view counter) {
  Counts counts;
  counts.counter = counter;
  counts.seconds = run.ending.seconds;
  counts.user_seconds = run.ending.usage.user_seconds;
  counts.total = Work{{}, 0, 0};
  std::map<model::FunctionKey, FunctionCounts> functions;
  for (ValgrindFile& file : run.files) {
    counts.clock_reads += file.clock_reads;
    counts.timers += file.timers;
    for (const Work& thread : file.process.threads) counts.total += thread;
    for (FunctionCounts& each : file.functions) {
      const FunctionCounts none{each.function, each.object, {{}, 0, 0}, {}, each.loop, each.line};
      FunctionCounts& sum = functions.try_emplace(key_of(each), none).first->second;
      sum.work += each.work;
      sum.code.insert(sum.code.end(), each.code.begin(), each.code.end());
      if (!counts.builds.contains(each.object)) counts.builds[each.object] = code_identity(each.object);
    }
    for (const ValgrindRegion& each : file.regions) add_region(each, counts.regions);
    counts.processes.push_back(std::move(file.process));
  }
  for (auto& [name, function] : functions) counts.functions.push_back(std::move(function));
  if (counts.processes.size() > 1)
    counts.notes.push_back({model::NoteCode::sum_of_processes, {double(counts.processes.size())}});
  return counts;
}

std::string valgrind_unavailable() {
  if (has_valgrind_tool()) return too_few_files();
  return "Valgrind is missing: install the package valgrind, then build Gable again (./run.sh build)";
}

Counts count_with_valgrind(const Program& program) {
  ValgrindRun run =
      run_under_valgrind(program, {fmt::format("--functions={}", program.functions ? "yes" : "no")},
                         pmu_backend.unavailable().empty() ? "--counter pmu" : "");
  require_success(program.command.front(), run.ending);
  check_whole(run);
  return counts_of(std::move(run), valgrind_backend.name);
}

}  // namespace gable::points
