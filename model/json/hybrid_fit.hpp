#pragma once

// The field `fit` of hybrid.json: the models of one grid.

#include <nlohmann/json_fwd.hpp>

#include "model/hybrid/hybrid.hpp"
#include "model/json/fields.hpp"

namespace gable::model {

/// What a grid amounts to as the fields of one object: θ, standard errors and errors of equation 5 on top,
/// those of the other laws in objects of their names. What is not known is null; reasons stand beside.
nlohmann::ordered_json fit_to_json(const HybridFit& fit);

/// The other way. A law that is absent is not fitted: files are older than laws. Throws as `fields` do.
HybridFit fit_from(const Fields& fields);

}  // namespace gable::model
