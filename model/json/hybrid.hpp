#pragma once

// hybrid.json: every pair of memories of a recorded machine, its grid and its models.

#include <string>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

/// hybrid.json, one cell per line.
std::string hybrid_to_json(const Hybrid& hybrid);
/// Throws Error::format that names `path` and the line.
Hybrid hybrid_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model
