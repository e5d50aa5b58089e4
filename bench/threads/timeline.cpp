#include "bench/threads/timeline.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/numbers.hpp"

namespace gable::bench {

namespace {

constexpr std::int64_t gap_ns = 300'000;
constexpr std::int64_t gap_factor = 3;

// Iterations done until `when`, interpolated between ticks.
double done_by(const std::vector<Tick>& ticks, std::int64_t when) {
  const auto after = std::ranges::lower_bound(ticks, when, {}, &Tick::ns);
  if (after == ticks.begin()) return static_cast<double>(after->iterations);
  if (after == ticks.end()) return static_cast<double>(ticks.back().iterations);
  const Tick& before = *(after - 1);
  const double share = static_cast<double>(when - before.ns) / static_cast<double>(after->ns - before.ns);
  return static_cast<double>(before.iterations) +
         share * static_cast<double>(after->iterations - before.iterations);
}

// The least of the ticks from the last one before `begin` to the first one after `end`.
double least_adds(const std::vector<Tick>& ticks, std::int64_t begin, std::int64_t end) {
  auto tick = std::ranges::upper_bound(ticks, begin, {}, &Tick::ns);
  if (tick != ticks.begin()) --tick;
  double least = tick->adds_per_cycle;
  while (tick->ns < end && ++tick != ticks.end()) least = std::min(least, tick->adds_per_cycle);
  return least;
}

std::int64_t median_step(const std::vector<Tick>& ticks) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < ticks.size(); ++i) steps.push_back(ticks[i].ns - ticks[i - 1].ns);
  return upper_median(std::move(steps));
}

void mark_gaps(const std::vector<Tick>& ticks, std::int64_t begin, std::int64_t slice,
               std::vector<bool>& disturbed) {
  const std::int64_t limit = std::max(gap_ns, gap_factor * median_step(ticks));
  const auto slices = static_cast<std::int64_t>(disturbed.size());
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    if (ticks[i].ns - ticks[i - 1].ns <= limit) continue;
    const std::int64_t first = std::max<std::int64_t>(0, (ticks[i - 1].ns - begin) / slice);
    const std::int64_t last = std::min(slices - 1, (ticks[i].ns - begin) / slice);
    for (std::int64_t s = first; s <= last; ++s) disturbed[static_cast<std::size_t>(s)] = true;
  }
}

}  // namespace

Repetitions cut(const std::vector<Timeline>& timelines, std::int64_t slice_ns) {
  std::int64_t begin = std::numeric_limits<std::int64_t>::min();
  std::int64_t end = std::numeric_limits<std::int64_t>::max();
  for (const Timeline& timeline : timelines) {
    if (timeline.ticks.size() < least_ticks) return {};
    begin = std::max(begin, timeline.ticks.front().ns);
    end = std::min(end, timeline.ticks.back().ns);
  }
  if (timelines.empty() || end - begin < slice_ns) return {};
  const std::int64_t count = (end - begin) / slice_ns;
  const std::int64_t slice = (end - begin) / count;

  Repetitions result;
  result.seconds = static_cast<double>(slice) * 1e-9;
  result.disturbed.assign(static_cast<std::size_t>(count), false);
  for (const Timeline& timeline : timelines) {
    std::vector<double>& work = result.work.emplace_back();
    std::vector<double>& adds = result.adds_per_cycle.emplace_back();
    double before = done_by(timeline.ticks, begin);
    for (std::int64_t s = 1; s <= count; ++s) {
      const std::int64_t end = begin + s * slice;
      const double now = done_by(timeline.ticks, end);
      work.push_back((now - before) * timeline.work_per_iteration);
      adds.push_back(least_adds(timeline.ticks, end - slice, end));
      before = now;
    }
    mark_gaps(timeline.ticks, begin, slice, result.disturbed);
  }
  return result;
}

}  // namespace gable::bench
