#include "bench/visit/watch.hpp"

#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "base/clocks.hpp"

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

CpuTimes cpu_times() {
  CpuTimes times;
  times.wall = monotonic_seconds();
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    times.own += timeval_seconds(usage.ru_utime) + timeval_seconds(usage.ru_stime);
  }
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::ifstream stat("/proc/stat");
  for (std::string line; std::getline(stat, line) && line.starts_with("cpu");) {
    if (!line.starts_with("cpu ")) {
      ++times.cpus;
      continue;
    }
    std::istringstream in(line.substr(4));
    double user = 0, nice = 0, system = 0, idle = 0, io = 0, irq = 0, soft = 0, steal = 0;
    in >> user >> nice >> system >> idle >> io >> irq >> soft >> steal;
    times.busy = (user + nice + system + irq + soft) * tick;
    times.steal = steal * tick;
  }
  return times;
}

Disturbance disturbance_between(const CpuTimes& before, const CpuTimes& after, int cpus) {
  const double wall = after.wall - before.wall;
  if (wall <= 0) return {};
  const double others = (after.busy - before.busy) - (after.own - before.own);
  const double stolen = std::max(0.0, after.steal - before.steal);
  return {100 * stolen / (wall * std::max(1, cpus)), std::max(0.0, others / wall), wall};
}

Disturbance Watch::end(int cpus) {
  const CpuTimes now = cpu_times();
  while (readings_.size() > 1 && readings_[1].wall <= now.wall - accounting_seconds) readings_.pop_front();
  return disturbance_between(readings_.front(), now, cpus);
}

double tolerated_others(int cpus) {
  return std::max(0.3, 0.02 * cpus);
}

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
