#pragma once

// What is measured between cores: a few pairs of each class in full, spot checks of others, and groups of
// threads that contend for a line.

#include <cstdint>
#include <vector>

#include "bench/c2c/pairs.hpp"
#include "machines/host.hpp"

namespace gable::bench {

struct C2cOptions {
  int level = 1;           ///< 0 quick, 1 standard, 2 full: all pairs
  std::uint64_t seed = 0;  ///< of the spot checks
};

struct C2cCell {
  model::C2cCase spec;
  int rounds = 1;
  double visit_seconds = 0;  ///< of the measurement in one visit
  bool is_spot = false;
};

struct C2cPlan {
  std::vector<C2cCell> cells = {};  ///< in the order in which a round visits them
  int rounds = 1;                   ///< of what is measured in full
  double visit_seconds = 0;         ///< of the same
  std::vector<machines::Place> places;
  std::map<model::PairClass, std::vector<PlacePair>> classes;
};

/// The plan for a machine. Spot checks that `recorded` has are not drawn again, so that a folder that is
/// continued gets as many in total.
C2cPlan c2c_plan(const machines::Machine& machine, const machines::Host& host, const C2cOptions& options,
                 const std::vector<model::C2cSample>& recorded = {});

/// All cells of a pair, in both directions and with the line on the node of each.
std::vector<C2cCell> cells_of_pair(const C2cPlan& plan, const PlacePair& pair,
                                   const model::PairClass& between);

/// The seconds that one visit of the cell is expected to take.
double expected_seconds(const C2cCell& cell);

/// The probability that a spot check of this plan or a pair measured in full meets one given pair, of all
/// pairs of two cores with the same probability.
double probability_to_meet(const C2cPlan& plan);

}  // namespace gable::bench
