#pragma once

// The hybrid model of a grid as a table.

#include <string>

#include "model/hybrid/hybrid.hpp"

namespace gable::cli {

/// Bandwidths, θ with standard errors and all errors of every law's model, and unknown values with
/// reasons.
std::string hybrid_table(const model::HybridFit& fit);

/// The θ of each pair of a recorded machine, of every law that has any (LARM paper, table 6). Empty without
/// any.
std::string thetas_table(const model::Hybrid& hybrid);

/// One line for each pair of memories of a recorded machine: its bandwidths, the best model and its
/// held-out error. Empty without pairs.
std::string pairs_table(const model::Hybrid& hybrid);

}  // namespace gable::cli
