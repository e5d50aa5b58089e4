#pragma once

// Machines with many pairs of cores.

#include <set>
#include <string>

#include "bench/c2c/c2c_campaign.hpp"
#include "machines.hpp"

namespace gable::bench::tests {

/// Two packages of four nodes each, three L3 of `cores` cores in a node.
inline machines::Machine nps4(int cores) {
  return machines::from_synthetic("pack:2 group:4 [numa(memory=68719476736)] l3:3(size=33554432) l2:" +
                                  std::to_string(cores) + "(size=1048576) l1d:1(size=32768) core:1 pu:1");
}

/// The pairs whose hand-offs are measured.
inline std::set<PlacePair> pairs_met(const C2cPlan& plan) {
  std::set<PlacePair> met;
  for (const C2cCell& cell : plan.cells)
    if (cell.spec.measure == model::C2cMeasure::handoff)
      met.emplace(cell.spec.pus.front(), cell.spec.pus.back());
  return met;
}

}  // namespace gable::bench::tests
