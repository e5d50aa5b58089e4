#pragma once

// The progress display of `gable measure`.

#include <string>

#include "bench/visit/campaign.hpp"
#include "cli/text/progress_line.hpp"

namespace gable::cli {

/// One line for a Case: "L3 load_avx2 2m, cluster 0".
std::string describe(const model::Case& spec);

/// The visit that was made last, with its result. Disturbed visits are repeated, and intervals are narrowed,
/// when all that was planned is done; these visits are extra.
void show(ProgressLine& line, const bench::Progress& progress);

}  // namespace gable::cli
