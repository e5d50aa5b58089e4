#pragma once

// When a lock is held in simulated time. Threads come in the order of the trace, which is not that of their
// clocks: a section finds the first gap that is long enough for it.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gable::kmaf {

class LockSections {
 public:
  /// A thread asks for the lock at `ready` and holds it for `length`. Returns how long it waits.
  double take(double ready, double length) {
    if (length <= 0) return 0;
    double begin = ready;
    auto next = std::lower_bound(held_.begin(), held_.end(), ready,
                                 [](const Section& section, double time) { return section.end <= time; });
    for (; next != held_.end() && next->begin < begin + length; ++next) begin = std::max(begin, next->end);
    next = held_.insert(next, {begin, begin + length});
    // Adjacent sections are one.
    if (next != held_.begin() && (next - 1)->end == next->begin) {
      (next - 1)->end = next->end;
      next = held_.erase(next) - 1;
    }
    if (next + 1 != held_.end() && (next + 1)->begin == next->end) {
      next->end = (next + 1)->end;
      held_.erase(next + 1);
    }
    if (held_.size() > most) held_.erase(held_.begin());
    return begin - ready;
  }

 private:
  static constexpr std::size_t most = 256;  // earlier ones are forgotten: clocks are not that far apart
  struct Section {
    double begin = 0, end = 0;
  };
  std::vector<Section> held_;  // in order, without overlap
};

}  // namespace gable::kmaf
