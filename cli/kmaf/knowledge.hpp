#pragma once

// The file of gable kmaf run --learn and --knowing: a line of JSON for each program, task, pair that shares
// and page of a run.

#include <string>

#include "kmaf/engine/knowledge.hpp"

namespace gable::cli {

std::string knowledge_to_text(const kmaf::Knowledge& knowledge);

/// Throws Error::format that names `path`, the line and the field.
kmaf::Knowledge knowledge_from_text(const std::string& text, const std::string& path);

}  // namespace gable::cli
