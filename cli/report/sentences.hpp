#pragma once

// What the figures of the first screen mean, in two or three sentences.

#include <string>
#include <vector>

#include "cli/show/recorded.hpp"

namespace gable::cli {

/// Sentences on the best bandwidths, latencies and peaks that gable show shows; `samples`: those of the
/// folder. Empty where none is known.
std::vector<std::string> meaning_of(const ShownFolder& shown, const std::vector<model::Sample>& samples);

}  // namespace gable::cli
