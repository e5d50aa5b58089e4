#pragma once

// What a fitted hybrid model says of any mix of transfers.

#include <optional>

#include "model/hybrid.hpp"
#include "model/phases.hpp"

namespace gable::model {

/// t_x = q_x / b_x in seconds; nothing where a bandwidth that is needed is not known. Bytes as q of the
/// paper.
std::optional<Quantities> transfer_seconds(const HybridFit& fit, const Quantities& bytes);

/// Equation 5 over the phases of `law`, in seconds; nothing where a bandwidth or a θ that is needed is not
/// known.
std::optional<double> hybrid_seconds(const HybridFit& fit, Law law, const Quantities& bytes);

}  // namespace gable::model
