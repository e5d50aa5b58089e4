#pragma once

// Memory benchmarks as tables and sentences.

#include <string>
#include <vector>

#include "model/tiers/tiers.hpp"

namespace gable::cli {

/// A table by working set: the benchmarks of all tiers with their ratios (PMEM graph thesis, tables 2.2 and
/// 2.3), by number of threads, writes in blocks; the tiers' ratios to the first one and to their vendors'
/// claims; missing figures with reasons.
std::string memory_table(const std::vector<model::TierFigure>& figures);

/// "0.38 (0.37 to 0.39)": the ratio of two ok figures, with the 95 % interval if they have intervals.
std::string ratio_text(const model::TierFigure& of, const model::TierFigure& to);

/// The tiers, in the order in which they appear.
std::vector<std::string> tiers_in(const std::vector<model::TierFigure>& figures);

/// The most threads among the figures' requests; 0 if there are no figures.
int most_threads(const std::vector<model::TierFigure>& figures, bool smt);

/// Sentences: the tiers' ratios to the first one, of the worst to the best way to write, and to their
/// vendors' claims; how each tier was allocated; missing figures with reasons.
std::string memory_remarks(const std::vector<model::TierFigure>& figures);

}  // namespace gable::cli
