#pragma once

// The terms by which the law `turnaround` exceeds `phased`.

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

/// A term of coefficient 1 in seconds, and how much longer it becomes when the logarithm of the time of each
/// transfer rises by 1 (the times of one memory alone, t = q/b).
struct TermTime {
  double seconds = 0;
  Quantities slope = {};
};

/// Of one phase in which `bytes` are moved that take `seconds` alone.
/// Turns of a memory: t_l q_s / sqrt(q_l² + q_s²), its loads and stores alone. A channel turns once for each
/// stretch of loads or stores that it serves, so turns are counted in bytes: as many as the fewer of both
/// where one kind comes in among much of the other, and less than that where both are equally many and come
/// in stretches. Told in the time of its loads, so that a coefficient of 1 is a load's time for each turn.
/// Contention: sqrt(Σ t²) - max t. 0 where one transfer is much longer than all others; where several are as
/// long their queues run empty in turn, and none of them hides all that θ says. It is continuous where the
/// dominating transfer changes.
PerTerm<TermTime> term_times(const Quantities& bytes, const Quantities& seconds);

}  // namespace gable::model
