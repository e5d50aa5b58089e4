#pragma once

// hybrid.json: every pair of memories of a recorded machine, its grid and its models.

#include <nlohmann/json.hpp>
#include <string>

#include "model/hybrid.hpp"

namespace gable::model {

/// What a grid amounts to as the fields of one object: θ, standard errors and errors of equation 5 on top,
/// those of `phased` in an object of this name. What is not known is null; reasons stand beside.
nlohmann::ordered_json fit_to_json(const HybridFit& fit);

/// hybrid.json, one cell a line.
std::string hybrid_to_json(const Hybrid& hybrid);
/// Throws FormatError that names `path` and the line.
Hybrid hybrid_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model
