#pragma once

// tiers.jsonl: what the memory benchmarks saw of each tier, a visit a line, appended as it is measured.

#include <string>
#include <string_view>
#include <vector>

#include "model/records/records.hpp"
#include "model/tiers/tiers.hpp"

namespace gable::model {

/// One visit as one line of JSON, without the newline, and back (`where` is "file:line" for the error). Both
/// throw FormatError for a visit that contradicts itself.
std::string tier_sample_to_line(const TierSample& sample);
TierSample tier_sample_from_line(std::string_view line, const std::string& where);

/// {"schema":1,"figures":[...]}: each with what was asked, and value, lo and hi in `unit` (null where it is
/// not ok).
std::string tier_figures_to_json(const std::vector<TierFigure>& figures);

/// The visits of a tiers.jsonl in its order; an absent file has none. Throws FormatError for any broken line.
std::vector<TierSample> read_tier_samples(const std::string& path);

}  // namespace gable::model
