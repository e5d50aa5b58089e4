#pragma once

// What the prediction of times takes from measurements of programs: all parameters in one place.
// tests/bench/predict_fit.py computes them again from recorded times (docs/programs/prediction-model.md).

namespace gable::model {

struct PredictParameters {
  /// The part of the other needs that is not hidden behind the largest one: 0 means that all overlap, 1 that
  /// none does.
  double exposed = 0.09;
  /// How many times as long the core takes as its largest known need.
  double core = 1.07;
  /// How many instructions of all sorts a core executes in the time of an addition, if it is busy.
  double per_addition = 1.06;
  /// Cycles in which a core does nothing useful after a mispredicted branch, where that was not measured.
  double cycles_of_flush = 15;
  /// Distances of the ends of the 95 % interval from 0, of the logarithm of measured over predicted time,
  /// from a profile alone. Programs tend to take longer, because their instructions wait for each other.
  double longer_than_profile = 0.45, shorter_than_profile = 0.315;
  /// Half of the same interval from a time under other conditions on the same machine, and from a time on
  /// another machine.
  double spread_of_time = 0.08, spread_elsewhere = 0.531;
  /// Of the logarithm of measured over explained time, the part that a CPU of another kind shares. The rest
  /// is what the model lacks of this CPU alone.
  double carried_elsewhere = 0.5;
  /// What the model lacks of a CPU is at most this logarithm. More is the program's: it waits for input, or
  /// locks.
  double most_of_error = 1;
  /// Times the largest change of a need's share of the time (0 to 1), it is added to both as squares.
  double per_change = 0.425;
  /// It is added to both as squares on one side: above with more threads, below with fewer. Without a time,
  /// it is added above with more threads than the profile has.
  double spread_of_threads = 0.473;
  /// Chains of loads that a core follows at once are at most so many (line fill buffers).
  double chains_at_once = 10;
  /// Where neither the peaks nor the clock tell how much faster a core is, a core is at most so many times as
  /// fast as another one.
  double unknown_core = 2;
  /// The same where the clock tells it, but not the peaks.
  double unknown_per_clock = 1.5;
  /// A level is at most so many times as fast as the next one (all recorded machines in machines/).
  double faster_than_next = 12;
  /// A chained line that another core has changed takes at least so much of the measured latency, because
  /// other work goes on meanwhile, and at most all of it.
  double least_of_changed_line = 0.5;
  /// Hand-offs of two threads that meet at a barrier, by libgomp 12 on a Granite Rapids: most likely, and
  /// their bounds. More threads arrive one after the other.
  double handoffs_of_meeting = 4.5, least_of_meeting = 3, most_of_meeting = 7;
  /// A hand-off between cores that was not measured takes at most so many times as long as a load from a
  /// cache that all of them share; between clusters, at most so many times as long as a load from the local
  /// memory.
  double handoff_by_shared_cache = 3, handoff_between_clusters = 2;
  /// Nanoseconds of a hand-off where no latency is known: those between the hardware threads of a core and
  /// between sockets (github.com/nviennot/core-to-core-latency, README.md, commit 0dddf50).
  double least_handoff_ns = 4, most_handoff_ns = 200;
  /// What is not explained may wait for data, for at most so many times the time that the transfers need.
  double waits_for_data = 1;
};

}  // namespace gable::model
