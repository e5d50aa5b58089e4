#pragma once

// A Case as the fields of a JSON object, the same in every file.

#include "base/json.hpp"
#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

void add_case(Json& object, const Case& spec);
/// Throws Error::format if the values that were read do not make a Case.
void check(const Fields& fields, const Case& spec);

/// Bytes by the os index of their memory node, as an object; Fields::node_bytes reads it.
Json node_bytes_json(const std::map<int, std::uint64_t>& node_bytes);

}  // namespace gable::model
