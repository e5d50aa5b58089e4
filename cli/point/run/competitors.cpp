#include "cli/point/run/competitors.hpp"

#include <sys/resource.h>

#include "base/clocks.hpp"

namespace gable::cli {
namespace {

// Of this process and of those that it waited for.
bench::CpuTimes times_with_children() {
  bench::CpuTimes times = bench::cpu_times();
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  times.own += timeval_seconds(usage.ru_utime) + timeval_seconds(usage.ru_stime);
  return times;
}

// The kernel counts in ticks of 10 ms.
constexpr double least_seconds = 0.2;

Competitors::Seen judged(Competitors::Seen seen, int cpus) {
  seen.disturbs = seen.seconds >= least_seconds && seen.cpus > bench::tolerated_others(cpus);
  return seen;
}

}  // namespace

Competitors::Competitors() : before_(times_with_children()) {}

Competitors::Seen Competitors::seen() const {
  const bench::CpuTimes after = times_with_children();
  const bench::Disturbance found = bench::between(before_, after, after.cpus);
  return judged({found.others, found.steal_percent / 100 * after.cpus, after.wall - before_.wall, false},
                after.cpus);
}

Competitors::Seen together(const Competitors::Seen& a, const Competitors::Seen& b) {
  const double seconds = a.seconds + b.seconds;
  if (seconds <= 0) return {};
  const auto mean = [&](double x, double y) { return (x * a.seconds + y * b.seconds) / seconds; };
  return judged({mean(a.cpus, b.cpus), mean(a.stolen, b.stolen), seconds, false}, bench::cpu_times().cpus);
}

}  // namespace gable::cli
