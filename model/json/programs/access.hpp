#pragma once

// The accesses of a Point to its memories as the fields of a JSON object.

#include <nlohmann/json_fwd.hpp>

#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// {"source":"given","nodes":[{"node":0,"cluster":null,"load_bytes":…,"store_bytes":…}]}
nlohmann::ordered_json access_to_json(const Point& point);

/// Sets the Point's accesses and their source. Throws Error::format that names the field.
void read_access(const Fields& fields, Point& point);

}  // namespace gable::model
