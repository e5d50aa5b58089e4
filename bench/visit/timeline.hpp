#pragma once

// What each thread did, moment by moment, and the repetitions cut out of it. Threads run without pause; a
// repetition is a slice of the time in which all of them ran, so that no thread is ever measured without its
// competitors.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gable::bench {

/// Progress of a thread at a moment: iterations done since it started.
struct Tick {
  std::int64_t ns = 0;
  std::uint64_t iterations = 0;
};

struct Timeline {
  std::vector<Tick> ticks;
  double work_per_iteration = 0;
};

inline constexpr std::size_t least_repetitions = 8;  ///< of a visit: fewer are no figure
inline constexpr std::size_t least_ticks = 3;        ///< of a timeline: fewer are not cut

/// The repetitions that a set of timelines gives: `work[t][r]` is thread t's work in repetition r.
struct Repetitions {
  double seconds = 0;  ///< of each
  std::vector<std::vector<double>> work;
  std::vector<bool> disturbed;  ///< some thread stood still in it
};

/// Cuts the time in which all timelines overlap into slices of about `slice_ns` and interpolates the work in
/// them. A slice in which a thread stood still (a tick that took over 0.3 ms and over 3 times the thread's
/// median) is disturbed. Empty when the overlap is shorter than one slice.
Repetitions cut(const std::vector<Timeline>& timelines, std::int64_t slice_ns);

}  // namespace gable::bench
