#pragma once

// samples.jsonl: what was measured, one visit per line, appended when measured.

#include <string>
#include <string_view>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// Writes one Sample as a line of JSON without the newline, and reads it (`where` is "file:line" for the
/// error). Field names are those of the records; `work` is called "bytes", "flops" or "accesses" depending on
/// the kind; node -1 is null. Both throw Error::format for a Sample that contradicts itself, so that every
/// written line can be read again.
std::string to_line(const Sample& sample);
Sample sample_from_line(std::string_view line, const std::string& where);

/// The Samples of a samples.jsonl in file order; none if there is no file. Throws Error::format for any
/// broken line, including the last. All Samples of one (Case, round) are kept: a repeated visit leaves the
/// disturbed one and the new one.
std::vector<Sample> read_samples(const std::string& path);

}  // namespace gable::model
