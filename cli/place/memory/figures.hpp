#pragma once

// The memory benchmarks that a folder has.

#include <string>
#include <vector>

#include "model/tiers/tiers.hpp"

namespace gable::cli {

/// Of DIR/tiers.jsonl; of a published machine those in its roofs.json, with what vendors claim. Throws
/// UsageError, FormatError.
std::vector<model::TierFigure> recorded_figures(const std::string& folder);

}  // namespace gable::cli
