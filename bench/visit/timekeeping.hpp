#pragma once

// How far a machine's time can be trusted, and what follows for its figures.

#include <string>
#include <vector>

#include "bench/visit/timeline.hpp"
#include "bench/visit/watch.hpp"
#include "machines/host.hpp"

namespace gable::bench {

/// On an emulated machine time means nothing: the emulator runs the CPUs in turns and lets each stand still
/// as long as it likes. There no thread is expected to run beside the others or without pause, and neither
/// co-runners nor the clock are held against a Sample; each carries a note instead. Pages and CPUs are judged
/// as on any machine, elsewhere.
class Timekeeping {
 public:
  explicit Timekeeping(const machines::Host& host) : emulated_(host.emulated) {}

  /// The repetitions of a burst, each of about `slice_ns`. Of an emulated machine: every thread's time from
  /// its own beginning, cut in as many as a figure needs, none disturbed.
  Repetitions repetitions(std::vector<Timeline> timelines, std::int64_t slice_ns) const;

  /// What there is to say of a clock (GHz) measured before and after a burst; empty: it held.
  std::string clock_note(double before, double after) const;

  /// Whether other processes took so much that what is shared with them is spoilt; `cpus`: of the machine.
  bool spoilt_by(const Disturbance& disturbance, int cpus) const;

  /// What goes with every Sample.
  std::vector<std::string> notes() const;

 private:
  bool emulated_;
};

}  // namespace gable::bench
