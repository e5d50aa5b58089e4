#pragma once

// What else the machine did during a visit, according to the kernel's accounting.

#include <deque>

namespace gable::bench {

/// CPU seconds since boot over all CPUs (/proc/stat, in ticks of 10 ms), and of this process with the
/// children that it has waited for.
struct CpuTimes {
  double wall = 0;
  double busy = 0;   ///< user, nice, system, irq, softirq of all processes
  double steal = 0;  ///< taken by the hypervisor
  double own = 0;    ///< this process, all threads, and children that ended
  int cpus = 0;
};

CpuTimes cpu_times();

/// What other processes and the hypervisor did between two readings.
struct Disturbance {
  double steal_percent = 0;  ///< of `cpus` CPUs' time; 0 if the hypervisor took time back
  double others = 0;         ///< CPUs that other processes kept busy
  double seconds = 0;        ///< between the readings
};

/// `cpus`: how many CPUs this process kept busy.
Disturbance disturbance_between(const CpuTimes& before, const CpuTimes& after, int cpus);

/// Ticks are too coarse to tell what other processes did in a shorter time.
inline constexpr double accounting_seconds = 0.2;

/// The activity during the last visits. The kernel counts in ticks of 10 ms, so a short visit is judged
/// together with the time before it, 0.2 s in total.
class Watch {
 public:
  void begin() { readings_.push_back(cpu_times()); }
  /// The disturbance since the visit began, or since somewhat before; `cpus`: how many this process kept
  /// busy.
  Disturbance end(int cpus);
  /// Whether /proc/stat can be read.
  bool sees() const { return cpus() > 0; }
  /// The number of the machine's CPUs; 0 if /proc/stat cannot be read.
  int cpus() const { return readings_.empty() ? 0 : readings_.front().cpus; }

 private:
  std::deque<CpuTimes> readings_;  ///< at the begin of the last visits
};

/// The number of CPUs that other processes may use before a figure counts as disturbed: 2 % of the machine,
/// but at least 0.3, which is about the accuracy of the accounting in a tenth of a second.
double tolerated_others(int cpus);

}  // namespace gable::bench
