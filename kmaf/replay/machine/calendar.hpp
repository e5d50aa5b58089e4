#pragma once

// The bandwidth of a memory or link: how much of it is used at each time. Threads may request it in any order
// of time, because each has its own clock.

#include <cstdint>
#include <vector>

namespace gable::kmaf {

class Calendar {
 public:
  /// `rate` in bytes/ns.
  explicit Calendar(double rate) : room_(slot_ns * rate), used_(slots) {}

  /// Forgets everything: the clocks start again at 0.
  void restart() { first_ = 0, used_.assign(slots, 0.0); }

  /// Takes room for `bytes` at the first moment from `ns` on that has some. Returns how long that is after
  /// `ns`.
  double take(double ns, double bytes) {
    auto slot = static_cast<std::uint64_t>(ns / slot_ns);
    if (slot < first_) return 0;  // long past
    const std::uint64_t wanted = slot;
    for (;; ++slot) {
      while (slot + 1 >= first_ + slots) used_[first_++ % slots] = 0;
      if (used_[slot % slots] < room_) break;
    }
    double& used = used_[slot % slots];
    used += bytes;
    if (used > room_) {  // the rest is the next slot's
      used_[(slot + 1) % slots] += used - room_;
      used = room_;
    }
    return slot == wanted ? 0 : static_cast<double>(slot) * slot_ns - ns;
  }

 private:
  static constexpr double slot_ns = 500;
  static constexpr std::uint64_t slots = 4096;
  double room_;              // bytes a slot
  std::uint64_t first_ = 0;  // the earliest slot that is known
  std::vector<double> used_;
};

}  // namespace gable::kmaf
