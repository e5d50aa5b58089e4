#pragma once

// virt.jsonl: the visits of `gable measure --only virt`, one per line, appended when measured.

#include <string>
#include <string_view>
#include <vector>

#include "model/records/virt.hpp"

namespace gable::model {

/// Writes one visit as a line of JSON without the newline, and reads it (`where` is "file:line" for the
/// error). Both throw Error::format for a visit that contradicts itself.
std::string virt_sample_to_line(const VirtSample& sample);
VirtSample virt_sample_from_line(std::string_view line, const std::string& where);

/// The visits of a virt.jsonl in order; none if there is no file. Throws Error::format for any broken line.
std::vector<VirtSample> read_virt_samples(const std::string& path);

}  // namespace gable::model
