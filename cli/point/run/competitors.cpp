#include "cli/point/run/competitors.hpp"

namespace gable::cli {
namespace {

Competitors judged(Competitors seen, int cpus) {
  seen.disturbs = seen.seconds >= bench::accounting_seconds && seen.had() > bench::tolerated_others(cpus);
  return seen;
}

}  // namespace

Competitors competitors_between(const bench::CpuTimes& before, const bench::CpuTimes& after) {
  const bench::Disturbance found = bench::disturbance_between(before, after, after.cpus);
  return judged({found.others, found.steal_percent / 100 * after.cpus, after.wall - before.wall, false},
                after.cpus);
}

Competitors together(const Competitors& a, const Competitors& b, int cpus) {
  const double seconds = a.seconds + b.seconds;
  if (seconds <= 0) return {};
  const auto mean = [&](double x, double y) { return (x * a.seconds + y * b.seconds) / seconds; };
  return judged({mean(a.cpus, b.cpus), mean(a.stolen, b.stolen), seconds, false}, cpus);
}

}  // namespace gable::cli
