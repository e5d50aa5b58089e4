#include "bench/visit/watch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "base/clocks.hpp"

namespace gable::bench {

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

}  // namespace gable::bench
