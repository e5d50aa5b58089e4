#pragma once

// samples.jsonl: what was measured, a visit a line, appended as it is measured.

#include <string>
#include <string_view>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// One Sample as one line of JSON, without the newline, and back (`where` is "file:line" for the error).
/// Field names are those of the records; `work` stands under the name of its unit, "bytes", "flops" or
/// "accesses" by kind; node -1 is null. Both directions throw FormatError for a Sample that contradicts
/// itself: to_line writes nothing that could not be read.
std::string to_line(const Sample& sample);
Sample sample_from_line(std::string_view line, const std::string& where);

/// The Samples of a samples.jsonl in file order; an absent file has none. Throws FormatError for any broken
/// line, the last too. Several Samples of one (Case, round) are all kept: a disturbed visit that was repeated
/// leaves both.
std::vector<Sample> read_samples(const std::string& path);

}  // namespace gable::model
