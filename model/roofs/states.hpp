#pragma once

// Machines with two states. The host of a virtual machine may move its CPUs between chips, so that they share
// the bandwidth of one chip or have that of two; a clock may have two speeds; other work may come and go. A
// state lasts for many visits, so that figures that depend on it fall into two groups of visits, and the
// groups of different figures change at the same times. A median over all visits would be that of either
// state by chance, and the roofs of loads and of stores could be those of different states.

#include <set>
#include <unordered_map>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// The states of a machine whose clusters have two.
struct States {
  std::unordered_map<const Sample*, bool>
      reported;            ///< visits whose state is known: whether it is the reported one
  std::set<int> clusters;  ///< that have two states
  bool faster = false;     ///< whether the reported state is the faster one
};

/// The state is that of visits to Cases, other than latencies, whose rates fall into two groups
/// (model/statistics/statistics.hpp). A cluster has two states if there are at least 3 such Cases, not all of
/// one cache and working set, and if successive visits to different ones are in the same group in 90 % of the
/// cases and clearly more often than by chance. A visit to any other Case has the state of the visits before
/// and after it if these agree, so states that are shorter than a round of visits are not recognized. The
/// faster state is reported if three quarters of the Cases with more than 3 visits were visited in it,
/// otherwise the one in which more of them were. Samples that are not ok do not count; those that started in
/// the same second must be in the order of time, and none may be there twice.
States find_states(const std::vector<const Sample*>& samples);

}  // namespace gable::model
