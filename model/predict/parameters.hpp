#pragma once

// What the prediction of times takes from measurements of programs: all parameters in one place.
// tests/bench/predict_fit.py computes them again from recorded times; docs/predicting.md describes how.

namespace gable::model {

struct PredictParameters {
  /// The part of the other needs that is not hidden behind the largest one: 0 means that all overlap, 1 that
  /// none does.
  double exposed = 0.045;
  /// How many times as long the core takes as its largest known need.
  double core = 1.115;
  /// Cycles in which a core does nothing useful after a mispredicted branch, where that was not measured.
  double cycles_of_flush = 15;
  /// Half of the 95 % interval of the logarithm of a time that is predicted from a profile alone ...
  double spread_of_profile = 0.99;
  /// ... of one that is predicted from a time under other conditions on the same machine ...
  double spread_of_time = 0.828;
  /// ... and of one that is predicted from the time on another machine.
  double spread_elsewhere = 0.73;
  /// Both spreads are at least this, because two runs of the same program differ.
  double spread_of_same = 0.218;
  /// Chains of loads that a core follows at once are at most so many (line fill buffers).
  double chains_at_once = 10;
  /// Where neither the peaks nor the clock tell how much faster a core is, a core is at most so many times as
  /// fast as another one.
  double unknown_core = 2;
  /// The same where the clock tells it, but not the peaks.
  double unknown_per_clock = 1.5;
  /// A level is at most so many times as fast as the next one (all recorded machines in machines/).
  double faster_than_next = 12;
  /// What is not explained may wait for data, for at most so many times the time that the transfers need.
  double waits_for_data = 1;
};

}  // namespace gable::model
