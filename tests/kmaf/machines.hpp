#pragma once

// The machines of the tests.

#include "kmaf/replay/machine/simulated_machine.hpp"
#include "machines/machine.hpp"

namespace gable::test {

/// The kMAF paper's machine (table 2): 4 nodes of 8 cores with 2 hardware threads, private L1 and L2, one L3
/// per node.
inline machines::Machine x7550() {
  return machines::from_synthetic(
      "package:4 [numa(memory=34359738368)] l3:1(size=18874368) core:8 l2:1(size=262144) l1d:1(size=32768) "
      "pu:2");
}

/// Two nodes of two cores.
inline machines::Machine small() {
  return machines::from_synthetic(
      "package:2 [numa(memory=1073741824)] l3:1(size=65536) core:2 l2:1(size=8192) l1d:1(size=2048) pu:1");
}

/// Latencies of the memory levels.
inline const kmaf::Timing timing{1, 4, 20, 100, 170, 10, 20};

}  // namespace gable::test
