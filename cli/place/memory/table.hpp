#pragma once

// Memory benchmarks as tables.

#include <string>
#include <vector>

#include "model/tiers/tiers.hpp"

namespace gable::cli {

/// A table by working set: the benchmarks of all tiers with their ratios (PMEM graph thesis, tables 2.2 and
/// 2.3), by number of threads, writes in blocks; the tiers' ratios to the first one and to their vendors'
/// claims; missing figures with reasons.
std::string memory_table(const std::vector<model::TierFigure>& figures);

}  // namespace gable::cli
