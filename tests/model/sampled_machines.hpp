#pragma once

// Machines for the referee that nobody picked: a Latin hypercube over the ranges of what a simulated machine
// is made of.

#include <vector>

#include "tests/model/simulator.hpp"

namespace gable::model {

/// Of every parameter each of `count` equal parts of its range is taken once, in an order drawn with `seed`:
/// cores 1 to 32, lines outstanding per core 4 to 32 of loads and of stores, pages at once 1 to 3; of each
/// memory 1 to 16 channels, 3 to 8 ns a line read, 1 to 3 times that a line written, latency 60 to 400 ns, a
/// turn 0 to 15 ns, 1 to 24 writes before it. Numbers of which double is as much as half (cores, lines,
/// channels, latency, writes) are spread by their logarithm. Of the two memories the one that can be read
/// faster is the fast one. Every other machine's memories serve their requests in order.
std::vector<SimulatedMachine> sampled_machines(int count, unsigned seed);

}  // namespace gable::model
