#pragma once

// What gable fit finds, as tables.

#include <string>

#include "cli/recorded_machine.hpp"
#include "model/hybrid/hybrid.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::cli {

/// A table by cluster: bandwidths, peaks, latencies, loaded latencies; then the cache levels that the ladder
/// does not confirm. Each row has the best page size.
std::string roof_table(const model::Roofs& roofs);

/// How closely the validation reaches the roofs: one line for each that has points. Empty without any.
std::string validation_table(const model::Roofs& roofs);

/// A table by cluster of the vector instructions that one core executed in a cycle, beside what it can do in
/// theory (LARM paper, tables 1 and 3). If no clock was measured, what the source of a published machine
/// says, or nothing. `machine` may be null: nothing is known then of the cores.
std::string core_table(const model::Roofs& roofs, const RecordedMachine* machine);

/// The hybrid model of a grid: bandwidths, θ with standard errors and all errors of every law's model, and
/// unknown values with reasons.
std::string hybrid_table(const model::HybridFit& fit);

/// The θ of each pair of a recorded machine, of every law that has any (LARM paper, table 6). Empty without
/// any.
std::string thetas_table(const model::Hybrid& hybrid);

/// One line for each pair of memories of a recorded machine: its bandwidths, the best model and its
/// held-out error. Empty without pairs.
std::string pairs_table(const model::Hybrid& hybrid);

}  // namespace gable::cli
