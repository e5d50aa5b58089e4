#pragma once

// placements.jsonl: what workloads did under each placement, one a line, appended as it is measured.

#include <string>
#include <string_view>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// One record as one line of JSON, without the newline, and back (`where` is "file:line" for the error). Both
/// throw FormatError for a record that contradicts itself.
std::string placed_to_line(const Placed& placed);
Placed placed_from_line(std::string_view line, const std::string& where);

/// What was measured, by whom it was asked: the same for records that replace each other. `tiers` are the
/// names of the parts' tiers in order.
std::string placed_key(const Placed& placed);

/// The records of a placements.jsonl; of those with the same key the last, in the place of the first. An
/// absent file has none. Throws FormatError for any broken line.
std::vector<Placed> read_placements(const std::string& path);

}  // namespace gable::model
