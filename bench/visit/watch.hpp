#pragma once

// What else the machine did during a visit, according to the kernel's accounting.

#include <deque>
#include <vector>

#include "bench/threads/timeline.hpp"
#include "machines/host.hpp"
#include "model/records/note.hpp"

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

/// On an emulated machine time is meaningless: the emulator runs the CPUs in turn and may stop each of them
/// for any time. So threads are not expected to run simultaneously or without pause, and neither other
/// processes nor the clock make a Sample invalid; each Sample carries a note instead. Pages and CPUs are
/// checked elsewhere, as on any machine.
class Timekeeping {
 public:
  explicit Timekeeping(const machines::Host& host) : emulated_(host.emulated) {}

  /// The repetitions of a burst, each of about `slice_ns`. On an emulated machine each thread's own time is
  /// cut into as many repetitions as a figure needs, and none counts as disturbed.
  Repetitions repetitions(std::vector<Timeline> timelines, std::int64_t slice_ns) const;

  /// A remark about a clock (GHz) measured before and after a burst; empty if it was stable.
  model::Note clock_note(double before, double after) const;

  /// Whether other processes disturbed shared resources too much; `cpus`: of the machine.
  bool spoilt_by(const Disturbance& disturbance, int cpus) const;

  /// Whether this can be said, and others disturbed what was watched.
  bool seen_spoilt_by(const Disturbance& disturbance, int cpus) const {
    return disturbance.seconds >= accounting_seconds && spoilt_by(disturbance, cpus);
  }

  /// The note for every Sample.
  model::Notes notes() const;

 private:
  bool emulated_;
};

}  // namespace gable::bench
