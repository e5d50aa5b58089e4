#pragma once

// The roofs as a table.

#include <string>

#include "model/roofs/roofs.hpp"

namespace gable::cli {

/// A table by cluster: bandwidths, peaks, latencies, loaded latencies; then the cache levels that the ladder
/// does not confirm. Each row has the best page size.
std::string roof_table(const model::Roofs& roofs);

}  // namespace gable::cli
