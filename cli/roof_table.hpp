#pragma once

// The roofs as a table for people.

#include <string>
#include <vector>

#include "model/roofs.hpp"

namespace gable::cli {

/// Per cluster: bandwidths, peaks, latencies, loaded latencies; then the cache levels that the ladder does
/// not confirm, and what was skipped or is invalid, by reason. Of several page sizes the best one has the
/// row. `also_missing` are further Cases without a figure.
std::string roof_table(const model::Roofs& roofs, const std::vector<model::Roof>& also_missing = {});

}  // namespace gable::cli
