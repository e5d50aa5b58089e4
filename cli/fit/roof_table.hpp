#pragma once

// The roofs as a table for people.

#include <string>
#include <vector>

#include "model/roofs/roofs.hpp"

namespace gable::cli {

/// Per cluster: bandwidths, peaks, latencies, loaded latencies; then the cache levels that the ladder does
/// not confirm. Of several page sizes the best one has the row.
std::string roof_table(const model::Roofs& roofs);

}  // namespace gable::cli
