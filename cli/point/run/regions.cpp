#include "cli/point/run/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/error.hpp"
#include "cli/point/measured_point.hpp"
#include "cli/point/run/runs.hpp"
#include "cli/text/message.hpp"

namespace gable::cli {
namespace {

using points::MarkedRegion;
using points::RegionCounts;

// One region as the timed runs saw it.
using Runs = std::vector<MarkedRegion>;

double mean_of(const Runs& runs, double (*value)(const MarkedRegion&)) {
  double sum = 0;
  for (const MarkedRegion& run : runs) sum += value(run);
  return sum / static_cast<double>(runs.size());
}

// The work that the program states, the mean of the runs; false where it states none.
bool set_stated(model::Point& point, const Runs& runs) {
  point.counter = "marker";
  point.flops = mean_of(runs, [](const MarkedRegion& run) { return run.flops; });
  point.load_bytes = mean_of(runs, [](const MarkedRegion& run) { return run.load_bytes; });
  point.store_bytes = mean_of(runs, [](const MarkedRegion& run) { return run.store_bytes; });
  return point.flops + point.load_bytes + point.store_bytes > 0;
}

const RegionCounts* counts_of(const std::string& region, const points::Counts& counts) {
  const auto found = std::ranges::find(counts.regions, region, &RegionCounts::region);
  return found == counts.regions.end() ? nullptr : &*found;
}

void note_region(model::Point& point, const RegionCounts& counted) {
  constexpr double little = 0.01;
  const auto others = static_cast<double>(counted.of_others.flop_count());
  if (others <= little * point.flops) return;
  if (counted.threads == 1)
    point.notes.emplace_back(model::NoteCode::one_thread_marks);
  else
    point.notes.push_back({model::NoteCode::threads_outside, {others}});
}

// How often it was entered if that differs from when it was counted, as in a program that works for a given
// time; else empty.
std::string other_calls(const Runs& runs, const RegionCounts& counted) {
  constexpr double tolerated = 0.02;
  const double timed = mean_of(runs, [](const MarkedRegion& run) { return static_cast<double>(run.calls); });
  if (std::abs(timed - static_cast<double>(counted.calls)) <= tolerated * timed) return {};
  return fmt::format("was entered {:.6g} times when it was timed and {} times when it was counted", timed,
                     counted.calls);
}

// The work that was counted. Returns why there is none; empty if there is some.
std::string set_counted(model::Point& point, const Runs& runs, const points::Counts& counts) {
  const RegionCounts* const counted = counts_of(point.region, counts);
  if (counted == nullptr) {
    throw Error::failed(
        fmt::format("the region '{}' is marked when the program runs by itself, and not under the counter "
                    "{}: was it compiled with an older gable-marker.h?",
                    point.region, counts.counter));
  }
  points::Counts of_region;
  of_region.counter = counts.counter;
  of_region.total = counted->work;
  of_region.notes = counts.notes;
  set_flops(point, of_region);
  set_bytes(point, counted->work);
  note_region(point, *counted);
  if (point.flops + point.load_bytes + point.store_bytes <= 0) return "does no work";
  return other_calls(runs, *counted);
}

// Whether only the threads that mark it worked when it was counted.
bool is_without_others(const RegionCounts& counted) {
  constexpr double little = 0.01;
  const auto amount = [&](const points::Work& work) {
    if (counted.work.flop_count() > 0) return static_cast<double>(work.flop_count());
    return static_cast<double>(work.load_bytes.value_or(0) + work.store_bytes.value_or(0));
  };
  return amount(counted.of_others) <= little * amount(counted.work);
}

// The CPUs that a region kept busy on average; 0: its CPU times do not tell.
double busy_cpus(const model::Point& region) {
  if (region.other_cpus > 0) return 0;
  return (region.user_seconds + region.kernel_seconds) / region.seconds;
}

// If one thread marks it, all threads of the program may work in it.
void set_threads(model::Point& point, const MarkedRegion& region, const RegionCounts* counted,
                 double stolen) {
  constexpr double one = 1.1, half = 0.5, nearly_all = 0.9;
  const int program = point.threads;  // 0: not known
  point.threads = region.threads;
  if (!region.by_one || (program > 0 && program <= region.threads)) return;
  if (counted != nullptr && is_without_others(*counted)) return;
  const double busy = busy_cpus(point);
  if (counted == nullptr && busy > 0 && busy + stolen <= one * region.threads) return;
  const bool all = program > 0 && busy >= half * program;
  point.threads = all ? program : 0;
  if (!all) {
    point.notes.push_back({model::NoteCode::threads_at_once_unknown,
                           {busy > 0 ? fmt::format("it kept {:.2g} CPUs busy on average", busy)
                                     : "it was too brief, or other processes were busy"}});
  } else if (busy < nearly_all * program) {
    point.notes.push_back({model::NoteCode::threads_by_busy_cpus, {busy, double(program)}});
  }
}

}  // namespace

std::vector<model::Point> region_points(const model::Point& program,
                                        const std::vector<std::vector<MarkedRegion>>& runs,
                                        const std::optional<points::Counts>& counts, double stolen) {
  std::map<std::string, Runs> regions;
  for (const std::vector<MarkedRegion>& run : runs) {
    for (const MarkedRegion& region : run) regions[region.name].push_back(region);
  }
  std::vector<model::Point> points;
  std::string why;
  for (const MarkedRegion& region : runs.front()) {
    const Runs& own = regions[region.name];
    model::Point point = program;
    point.name += ": " + region.name;
    point.region = region.name;
    set_times(point, own);
    why = counts                   ? set_counted(point, own, *counts)
          : set_stated(point, own) ? ""
                                   : "reports no work; `--regions` without `--counter marker` counts it";
    if (why.empty()) {
      set_threads(point, region, counts ? counts_of(region.name, *counts) : nullptr, stolen);
      if (point.cores >= point.threads) point.cores = 0;
      points.push_back(point);
    } else {
      tell(fmt::format("region '{}': {:.4g} s; no point, since it {}", region.name, point.seconds, why));
    }
  }
  if (points.empty() && counts) throw Error::failed("no point of a marked region: the last one " + why);
  if (points.empty())
    throw Error::failed(
        "no marked region reports its work: call gable_marker_work in the regions, or leave out --counter "
        "marker to have the work counted");
  return points;
}

}  // namespace gable::cli
