#pragma once

// The repetitions of one Case in a visit: those that stalled are dropped, and those with crowded cores if
// there are enough others.

#include <cstddef>
#include <vector>

#include "bench/threads/timeline.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

class KeptRepetitions {
 public:
  /// `threads` do the Case's work, `loaders` generate the load of a loaded latency: indices into `cut_out`.
  void add(const Repetitions& cut_out, const std::vector<std::size_t>& threads,
           const std::vector<std::size_t>& loaders);

  /// The rates (work per second) of the repetitions whose cores nothing else used. `most`: additions per
  /// cycle of such a core.
  std::vector<double> rates_alone(double most) const;

  /// Fills in the repetitions, and how many were dropped. If fewer than a figure needs had cores to
  /// themselves, all are kept, and the median of their additions per cycle shows it.
  void conclude(double most, model::Sample& sample) const;

 private:
  struct Repetition {
    double seconds = 0, work = 0, load = 0;
    double adds_per_cycle = 0;  // of the core that did the fewest; 0: not probed
  };

  std::vector<Repetition> repetitions_;
  int stalled_ = 0;
};

}  // namespace gable::bench
