#pragma once

// How reliable a machine's clock is, and the consequences for its figures.

#include <string>
#include <vector>

#include "bench/threads/timeline.hpp"
#include "bench/visit/watch.hpp"
#include "machines/host.hpp"
#include "model/records/note.hpp"

namespace gable::bench {

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
