#pragma once

// The flops of a program or a function by operation, precision and width of vectors in JSON.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

nlohmann::ordered_json arithmetic_to_json(const std::vector<Arithmetic>& works);
Arithmetic arithmetic_from(const Fields& fields);

}  // namespace gable::model
