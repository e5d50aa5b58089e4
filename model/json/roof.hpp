#pragma once

// A Roof as the fields of a JSON object, the same in every file.

#include "base/json.hpp"
#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// Value and interval of a Roof that is not ok are null.
Json roof_to_json(const Roof& roof);
Roof roof_from(const Fields& fields);

}  // namespace gable::model
