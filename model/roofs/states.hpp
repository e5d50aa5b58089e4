#pragma once

// Machines with two states. The host of a virtual machine may move its CPUs between chips, so that they share
// the bandwidth of one chip or have that of two; a clock may have two speeds; other work may come and go. A
// state lasts for many visits, so that figures that depend on it fall into two groups of visits, and the
// groups of different figures change at the same times. A median over all visits would be that of either
// state by chance, and the roofs of loads and of stores could be those of different states.

#include <map>
#include <unordered_map>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// The states of the clusters that have two.
struct States {
  std::unordered_map<const Sample*, bool>
      reported;                ///< visits whose state is known: whether it is the reported one
  std::map<int, bool> faster;  ///< by cluster with two states: whether the reported one is the faster one
};

/// The state is that of visits to Cases whose figures fall into two groups (model/statistics/groups.hpp). A
/// cluster has two states if there are at least 3 such Cases, and if successive visits to different ones are
/// in the same group in 90 % of the cases. A visit to any other Case has the state of the visits before and
/// after it if these agree. The faster state is reported if three quarters of all Cases were visited in it,
/// otherwise the one in which more of them were. Samples that are not ok do not count; those that started in
/// the same second must be in the order of time. The result points into `samples`.
States find_states(const std::vector<Sample>& samples);

}  // namespace gable::model
