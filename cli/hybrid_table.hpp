#pragma once

// The hybrid model of a grid as a table for people.

#include <string>

#include "model/hybrid.hpp"

namespace gable::cli {

/// Bandwidths, θ with standard errors and every error figure of both models, and what is not known, with the
/// reason.
std::string hybrid_table(const model::HybridFit& fit);

}  // namespace gable::cli
