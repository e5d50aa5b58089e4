#pragma once

// The work of a function as the fields of a JSON object, the same in every file.

#include <nlohmann/json_fwd.hpp>

#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// Whole numbers without a decimal point, as long as a double represents them exactly.
nlohmann::ordered_json whole_number(double value);

nlohmann::ordered_json function_to_json(const FunctionWork& work);
FunctionWork function_from(const Fields& fields);

}  // namespace gable::model
