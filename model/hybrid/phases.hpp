#pragma once

// The stretches of a transfer in which the mix of memories stays the same, and which transfer dominates each.

#include <algorithm>
#include <array>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

/// What happens in each phase, at most three of them.
struct Phases {
  std::array<Quantities, 3> bytes;
  int count = 0;

  const Quantities* begin() const { return bytes.data(); }
  const Quantities* end() const { return bytes.data() + count; }
};

/// `equation5` has one phase. In the other laws the pages of the read buffer alternate between the memories
/// while both last, and the rest lies in one memory (figure 15). The write buffer is laid out in the same
/// way, and both buffers advance in proportion. A phase ends where the alternation in one of the buffers
/// ends. If both buffers are split alike there are two phases.
Phases phases_of(const Quantities& bytes, Law law);

/// In GB/s; 0 where there is none.
Quantities known_bandwidths(const PerTransfer<Bandwidth>& bandwidths);

/// t = q/b of each transfer in seconds; 0 if nothing is moved. `gb_per_s` must be above 0 where bytes are
/// moved.
inline Quantities times_of(const Quantities& bytes, const Quantities& gb_per_s) {
  Quantities seconds;
  for (std::size_t x = 0; x < 4; ++x) seconds[x] = bytes[x] > 0 ? bytes[x] / (gb_per_s[x] * 1e9) : 0;
  return seconds;
}

/// The longest transfer; among equal ones (to 1e-9 of the time) the first in the order ls, ss, lf, sf.
inline Transfer dominating(const Quantities& seconds) {
  const double longest = std::max({seconds[0], seconds[1], seconds[2], seconds[3]}) * (1 - 1e-9);
  std::size_t x = 0;
  while (x < 3 && seconds[x] < longest) ++x;
  return transfers[x];
}

inline double total(const Quantities& quantities) {
  return quantities[0] + quantities[1] + quantities[2] + quantities[3];
}

/// The share of loads in all bytes, 0 to 1.
inline double share_of_loads(const Quantities& bytes) {
  return (bytes[Transfer::ls] + bytes[Transfer::lf]) / total(bytes);
}

inline constexpr double same_share = 1e-3;  ///< shares of loads that differ by less count as equal

/// The logarithm of the ratio between the longest transfer and the next; infinite if there is only one.
struct Margin {
  Transfer first, second;
  double log_ratio;
};
Margin margin(const Quantities& seconds);

bool is_pure(const Quantities& bytes);  ///< one transfer alone

/// Equations 3 and 4: all transfers at once, and one after the other.
struct Limits {
  double t_min, t_max;
};
Limits limits(const Quantities& seconds);

/// A term with coefficient 1, in seconds, and its derivative by the logarithm of each transfer's time alone
/// (t = q/b).
struct TermTime {
  double seconds = 0;
  Quantities slope = {};
};

/// Terms of one phase in which `bytes` are moved that take `seconds` alone. Turns of a memory: t_l q_s /
/// sqrt(q_l² + q_s²), from its loads and stores alone. A channel turns once for each stretch of loads or
/// stores that it serves, so turns are counted in bytes. Their number equals the smaller kind's bytes if one
/// kind is rare, and less if both kinds are equally frequent and come in stretches. The unit is the time of
/// the memory's loads, so a coefficient of 1 means one load's time per turn. Contention: sqrt(Σ t²) - max t.
/// It is 0 if one transfer is much longer than all others. If several are about as long, their queues run
/// empty in turn, and they hide less than θ says. The term is continuous where the dominating transfer
/// changes.
PerTerm<TermTime> term_times(const Quantities& bytes, const Quantities& seconds);

}  // namespace gable::model
