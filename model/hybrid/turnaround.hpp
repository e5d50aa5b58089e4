#pragma once

// The terms that the law `turnaround` adds to `phased`.

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

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
