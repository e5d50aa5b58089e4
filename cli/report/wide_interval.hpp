#pragma once

// The warning that figures of the first screen have wide intervals, and what their samples show as the cause.

#include <string>
#include <vector>

#include "cli/show/recorded.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// "Intervals reach ±31.2 % (L1 loads), because there was only 1 round: ...", of the widest interval of the
/// first screen. It names a cause only if the visits of that figure show one. Empty if no interval is wide.
std::string wide_interval_sentence(const ShownFolder& shown, const std::vector<model::Sample>& samples);

}  // namespace gable::cli
