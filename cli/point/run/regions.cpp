#include "cli/point/run/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/error.hpp"
#include "cli/point/figures.hpp"
#include "cli/point/run/runs.hpp"
#include "cli/text/message.hpp"

namespace gable::cli {
namespace {

using points::MarkedRegion;
using points::RegionCounts;

// The work that the program states; false where it states none.
bool set_stated(model::Point& point, const MarkedRegion& region) {
  point.counter = "marker";
  point.flops = region.flops;
  point.load_bytes = region.load_bytes;
  point.store_bytes = region.store_bytes;
  return region.flops + region.load_bytes + region.store_bytes > 0;
}

const RegionCounts* counts_of(const std::string& region, const points::Counts& counts) {
  const auto found = std::ranges::find(counts.regions, region, &RegionCounts::region);
  return found == counts.regions.end() ? nullptr : &*found;
}

void note_region(model::Point& point, const RegionCounts& counted, const MarkedRegion& timed) {
  constexpr double little = 0.01;
  const auto others = static_cast<double>(counted.of_others.flop_count());
  if (others > little * point.flops) {
    point.notes.push_back(
        counted.threads == 1
            ? "only one thread marks it: the work of the other threads during that time is included"
            : fmt::format("threads outside of it did {:.3g} flops meanwhile, which are not counted: mark it "
                          "in every thread that works for it",
                          others));
  }
  if (counted.calls != timed.calls) {
    point.notes.push_back(fmt::format("entered {} times when it was timed and {} times when it was counted",
                                      timed.calls, counted.calls));
  }
}

// The work that was counted. False where there is none.
bool set_counted(model::Point& point, const MarkedRegion& region, const points::Counts& counts) {
  const RegionCounts* const counted = counts_of(region.name, counts);
  if (counted == nullptr) {
    throw Error::failed(
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
  const std::string kept = fmt::format("it kept {:.2g} CPUs busy on average", busy);
  if (!all) {
    point.notes.push_back("how many threads worked in it at once is not known: " +
                          (busy > 0 ? kept : "it was too brief, or other processes were busy"));
  } else if (busy < nearly_all * program) {
    point.notes.push_back(
        fmt::format("{} and counts as run by all {} threads of the program", kept, program));
  }
}

}  // namespace

std::vector<model::Point> region_points(const model::Point& program,
                                        const std::vector<std::vector<MarkedRegion>>& runs,
                                        const std::optional<points::Counts>& counts, double stolen) {
  std::map<std::string, std::vector<double>> seconds;
  std::map<std::string, std::vector<Usage>> usages;
  for (const std::vector<MarkedRegion>& run : runs) {
    for (const MarkedRegion& region : run) {
      seconds[region.name].push_back(region.seconds);
      usages[region.name].push_back(region.usage);
    }
  }
  std::vector<model::Point> points;
  for (const MarkedRegion& region : runs.front()) {
    model::Point point = program;
    point.name += ": " + region.name;
    point.region = region.name;
    set_seconds(point, seconds[region.name]);
    set_usage(point, usages[region.name]);
    if (counts ? set_counted(point, region, *counts) : set_stated(point, region)) {
      set_threads(point, region, counts ? counts_of(region.name, *counts) : nullptr, stolen);
      points.push_back(point);
    } else {
      tell(fmt::format(
          "region '{}': {:.4g} s; no point, since it {}", region.name, point.seconds,
          counts ? "does no work" : "reports no work; `--regions` without `--counter marker` counts it"));
    }
  }
  if (points.empty() && counts) throw Error::failed("no marked region does any work");
  if (points.empty())
    throw Error::failed(
        "no marked region reports its work: call gable_marker_work in the regions, or leave out --counter "
        "marker to have the work counted");
  return points;
}

}  // namespace gable::cli
