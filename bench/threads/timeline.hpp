#pragma once

// The progress of each thread over time, and the repetitions cut out of it. Threads run without pause. A
// repetition is a slice of the time in which all of them ran, so that a thread is never measured without its
// competitors.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gable::bench {

/// Progress of a thread at one moment: iterations since its start.
struct Tick {
  std::int64_t ns = 0;
  std::uint64_t iterations = 0;
  double adds_per_cycle = 0;  ///< of its core at that moment (core_probe.hpp); 0: not probed
};

struct Timeline {
  std::vector<Tick> ticks;
  double work_per_iteration = 0;
};

inline constexpr std::size_t least_repetitions = 8;  ///< of a visit; fewer give no figure
inline constexpr std::size_t least_ticks = 3;        ///< of a timeline; shorter timelines are not cut

/// The repetitions from a set of timelines: `work[t][r]` is the work of thread t in repetition r, and
/// `adds_per_cycle[t][r]` the least that its core did in it, or right before or after it; 0: not probed.
struct Repetitions {
  double seconds = 0;  ///< of each
  std::vector<std::vector<double>> work, adds_per_cycle;
  std::vector<bool> disturbed;  ///< some thread stalled in it
};

/// Cuts the time in which all timelines overlap into slices of about `slice_ns` and interpolates the work in
/// them. A slice is disturbed if a thread stalled in it: a tick took over 0.3 ms and over 3 times the
/// thread's median. Empty if the overlap is shorter than one slice.
Repetitions cut(const std::vector<Timeline>& timelines, std::int64_t slice_ns);

}  // namespace gable::bench
