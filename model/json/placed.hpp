#pragma once

// placements.jsonl: the results of workloads under each placement, one per line, appended when measured.

#include <string>
#include <string_view>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// Writes one record as a line of JSON without the newline, and reads it (`where` is "file:line" for the
/// error). Both throw Error::format for a record that contradicts itself.
std::string placed_to_line(const Placed& placed);
Placed placed_from_line(std::string_view line, const std::string& where);

/// The question that the record answers; a record replaces an earlier one with the same key. It contains the
/// names of the parts' tiers in order.
std::string placed_key(const Placed& placed);

/// The records of a placements.jsonl. Of records with the same key the last counts, in the position of the
/// first. None if there is no file. Throws Error::format for any broken line.
std::vector<Placed> read_placements(const std::string& path);

}  // namespace gable::model
