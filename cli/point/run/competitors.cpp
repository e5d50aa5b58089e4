#include "cli/point/run/competitors.hpp"

#include <algorithm>

namespace gable::cli {
namespace {

Competitors::Seen judged(Competitors::Seen seen, int cpus) {
  seen.disturbs = seen.seconds >= bench::accounting_seconds && seen.cpus > bench::tolerated_others(cpus);
  return seen;
}

}  // namespace

Competitors::Competitors() : before_(bench::cpu_times()) {}

Competitors::Seen Competitors::seen() const {
  const bench::CpuTimes after = bench::cpu_times();
  const bench::Disturbance found = bench::between(before_, after, after.cpus);
  return judged(
      {found.others, std::max(0.0, found.steal_percent) / 100 * after.cpus, after.wall - before_.wall, false},
      after.cpus);
}

Competitors::Seen together(const Competitors::Seen& a, const Competitors::Seen& b) {
  const double seconds = a.seconds + b.seconds;
  if (seconds <= 0) return {};
  const auto mean = [&](double x, double y) { return (x * a.seconds + y * b.seconds) / seconds; };
  return judged({mean(a.cpus, b.cpus), mean(a.stolen, b.stolen), seconds, false}, bench::cpu_times().cpus);
}

}  // namespace gable::cli
