#pragma once

// What else the machine did meanwhile, as the kernel accounts it.

#include <deque>

namespace gable::bench {

/// CPU seconds since boot over all CPUs (/proc/stat, in ticks of 10 ms) and of this process.
struct CpuTimes {
  double wall = 0;
  double busy = 0;   ///< user, nice, system, irq, softirq of all processes
  double steal = 0;  ///< taken by the hypervisor
  double own = 0;    ///< this process, all threads
  int cpus = 0;
};

CpuTimes cpu_times();

/// Between two readings.
struct Disturbance {
  double steal_percent = 0;  ///< of `cpus` CPUs' time
  double others = 0;         ///< CPUs that other processes kept busy
};

/// `cpus`: how many CPUs this process kept busy.
Disturbance between(const CpuTimes& before, const CpuTimes& after, int cpus);

/// What happened during the last visits: the kernel counts in ticks of 10 ms, so a short visit is judged with
/// what came just before it, 0.2 s together.
class Watch {
 public:
  void begin() { readings_.push_back(cpu_times()); }
  /// Since the visit began, or since somewhat before; `cpus`: how many this process kept busy.
  Disturbance end(int cpus);
  /// /proc/stat can be read.
  bool sees() const { return !readings_.empty() && readings_.front().cpus > 0; }

 private:
  std::deque<CpuTimes> readings_;  ///< at the begin of the last visits
};

/// CPUs that others may use before a figure is spoilt: 2 % of the machine, but at least 0.3, which is about
/// what the accounting can tell in a tenth of a second.
double tolerated_others(int cpus);

}  // namespace gable::bench
