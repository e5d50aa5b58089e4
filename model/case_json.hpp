#pragma once

// A Case and a Status as the fields of a JSON object, the same in every file.

#include <nlohmann/json.hpp>

#include "model/fields.hpp"
#include "model/records.hpp"

namespace gable::model {

void add_case(nlohmann::ordered_json& object, const Case& asked);
Case case_from(const Fields& fields);

const char* name_of(Status status);
Status status_from(const Fields& fields);

}  // namespace gable::model
