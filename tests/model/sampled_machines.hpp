#pragma once

// Randomly drawn machines for the referee: a Latin hypercube over the parameter ranges of a simulated
// machine.

#include <vector>

#include "tests/model/simulator.hpp"

namespace gable::model {

/// Takes each of `count` equal parts of every parameter's range once, in an order drawn with `seed`: cores 1
/// to 32, lines outstanding per core 4 to 32 of loads and of stores, pages at once 1 to 3; each memory has 1
/// to 16 channels, 3 to 8 ns a line read, 1 to 3 times that a line written, latency 60 to 400 ns, a
/// turnaround 0 to 15 ns, 1 to 24 writes before it. Parameters that matter by their ratio (cores, lines,
/// channels, latency, writes) are spread by their logarithm. The memory with the faster reads is the fast
/// one. The memories of every second machine serve requests in order.
std::vector<SimulatedMachine> sampled_machines(int count, unsigned seed);

}  // namespace gable::model
