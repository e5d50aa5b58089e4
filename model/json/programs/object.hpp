#pragma once

// The bytes of an object of a program in JSON.

#include <nlohmann/json_fwd.hpp>

#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

nlohmann::ordered_json object_to_json(const ObjectBytes& object);
ObjectBytes object_bytes_from(const Fields& fields);

}  // namespace gable::model
