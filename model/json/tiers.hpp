#pragma once

// tiers.jsonl: the visits of the memory benchmarks to each tier, one per line, appended when measured.

#include <string>
#include <string_view>
#include <vector>

#include "model/records/records.hpp"
#include "model/tiers/tiers.hpp"

namespace gable::model {

/// Writes one visit as a line of JSON without the newline, and reads it (`where` is "file:line" for the
/// error). Both throw Error::format for a visit that contradicts itself.
std::string tier_sample_to_line(const TierSample& sample);
TierSample tier_sample_from_line(std::string_view line, const std::string& where);

/// {"schema":1,"figures":[...]}: each figure with its question, and value, lo and hi in `unit` (null if it is
/// not ok).
std::string tier_figures_to_json(const std::vector<TierFigure>& figures);

/// The visits of a tiers.jsonl in order; none if there is no file. Throws Error::format for any broken line.
std::vector<TierSample> read_tier_samples(const std::string& path);

}  // namespace gable::model
