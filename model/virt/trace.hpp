#pragma once

// Noise for a simulation: how long a piece of work takes if it begins at a given time of a record.

#include <cstddef>
#include <vector>

#include "model/records/virt.hpp"

namespace gable::model {

/// A record of detours that is repeated endlessly.
class NoiseTrace {
 public:
  /// `detours` in order, within `seconds`.
  NoiseTrace(double seconds, const std::vector<Detour>& detours);

  double seconds() const { return seconds_; }
  double share() const { return lost_ / seconds_; }
  double longest() const { return longest_; }  ///< seconds
  /// What detours add to `work` seconds of computing that begin at `start` seconds of the record.
  double delay(double start, double work) const;
  /// The time for which a detour has lasted at `start`, in seconds; 0 if there is none.
  double age(double start) const;

 private:
  std::size_t begun_by(double start) const;
  double lost_before(double busy) const;

  double seconds_, lost_ = 0, longest_ = 0;
  // These hold when each detour begins, in time that is computed, and what is lost up to its begin and end.
  std::vector<double> begins_, lost_until_;
};

/// The records of noise of a folder, ok ones only.
std::vector<NoiseTrace> recorded_traces(const std::vector<VirtSample>& samples);

/// A detour of share * period every `period` seconds, a thousand times.
NoiseTrace periodic_trace(double share, double period);

/// Detours at random, `1 / period` a second, of exponentially distributed lengths that take `share` of the
/// time on average; `seconds` of them.
NoiseTrace random_trace(double share, double period, double seconds);

}  // namespace gable::model
