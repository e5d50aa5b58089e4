#pragma once

// Files to which a record is appended, a line each, when it was measured: samples.jsonl (Sample), c2c.jsonl
// (C2cSample), virt.jsonl (VirtSample), tiers.jsonl (TierSample) and placements.jsonl (Placed).

#include <string>
#include <string_view>
#include <vector>

namespace gable::model {

/// The record as JSON without the newline. Throws Error::format for one that contradicts itself.
template <typename Record>
std::string to_line(const Record& record);

/// The reverse; `where` is "file:line" for the error. Throws Error::format.
template <typename Record>
Record from_line(std::string_view line, const std::string& where);

/// The records of a file in order; none if there is no file. Of placements with the same key the last counts,
/// in the position of the first. Throws Error::format for any broken line.
template <typename Record>
std::vector<Record> read_lines(const std::string& path);

}  // namespace gable::model
