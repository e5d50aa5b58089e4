#pragma once

// The memory benchmarks of a folder.

#include <string>
#include <vector>

#include "model/tiers/tiers.hpp"

namespace gable::cli {

/// Reads the figures of DIR/tiers.jsonl, or of a published machine's roofs.json, with vendors' claims. Throws
/// Error::usage, Error::format.
std::vector<model::TierFigure> recorded_figures(const std::string& folder);

}  // namespace gable::cli
