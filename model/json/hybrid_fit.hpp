#pragma once

// The field `fit` of hybrid.json: the models of one grid.

#include "base/json.hpp"
#include "model/hybrid/hybrid.hpp"
#include "model/json/fields.hpp"

namespace gable::model {

/// The result of fitting a grid as the fields of one object: θ, standard errors and errors of equation 5 at
/// the top, those of each other law in an object of its name. Unknown values are null; their reasons are in
/// fields beside them.
Json fit_to_json(const HybridFit& fit);

/// The reverse. A law that is absent was not fitted: a file may be older than a law. Throws as `fields` do.
HybridFit fit_from(const Fields& fields);

}  // namespace gable::model
