#pragma once

// All runs of a program under several policies.

#include <vector>

#include "kmaf/replay/orders.hpp"
#include "kmaf/replay/result.hpp"

namespace gable::kmaf {

/// The outcomes of `runs` runs under each of the policies, `jobs` at a time. Run i has seed i + 1, and the
/// i-th of the orders, under every policy. `options.mapping` is the oracle's, if it is among them.
std::vector<ReplayResult::OfPolicy> run_policies(ProgramOrders& orders, const SimulatedMachine& machine,
                                                 const std::vector<const PolicyEntry*>& policies, int runs,
                                                 int jobs, const ReplayOptions& options);

}  // namespace gable::kmaf
