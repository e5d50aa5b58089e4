#pragma once

// The hybrid model of a grid as a table for people.

#include <string>

#include "model/hybrid/hybrid.hpp"

namespace gable::cli {

/// Bandwidths, θ with standard errors and every error figure of the models of all laws, and what is not
/// known, with the reason.
std::string hybrid_table(const model::HybridFit& fit);

/// One line for each pair of memories of a recorded machine: its bandwidths, the best model and that one's
/// held-out error. Empty without pairs.
std::string pairs_table(const model::Hybrid& hybrid);

}  // namespace gable::cli
