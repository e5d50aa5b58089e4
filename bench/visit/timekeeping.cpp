#include "bench/visit/timekeeping.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace gable::bench {

namespace {

constexpr double clock_tolerance = 0.03;

// Slices of this share of the shortest timeline all contain work, even after long pauses.
Repetitions cut_from_the_beginnings(std::vector<Timeline> timelines) {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (Timeline& timeline : timelines) {
    if (timeline.ticks.empty()) return {};
    const std::int64_t begin = timeline.ticks.front().ns;
    for (Tick& tick : timeline.ticks) tick.ns -= begin;
    shortest = std::min(shortest, timeline.ticks.back().ns);
  }
  const auto count = static_cast<std::int64_t>(least_repetitions);
  if (shortest < count) return {};
  Repetitions result = cut(timelines, shortest / count);
  result.disturbed.assign(result.disturbed.size(), false);
  for (std::vector<double>& adds : result.adds_per_cycle) std::ranges::fill(adds, 0);
  return result;
}

}  // namespace

Repetitions Timekeeping::repetitions(std::vector<Timeline> timelines, std::int64_t slice_ns) const {
  return emulated_ ? cut_from_the_beginnings(std::move(timelines)) : cut(timelines, slice_ns);
}

model::Note Timekeeping::clock_note(double before, double after) const {
  const auto [slow, fast] = std::minmax(before, after);
  if (emulated_ || slow >= (1 - clock_tolerance) * fast) return {};
  return {model::NoteCode::clock_changed, {before, after}};
}

bool Timekeeping::spoilt_by(const Disturbance& disturbance, int cpus) const {
  return !emulated_ && disturbance.others > tolerated_others(cpus);
}

model::Notes Timekeeping::notes() const {
  if (!emulated_) return {};
  return {model::NoteCode::emulated};
}

}  // namespace gable::bench
