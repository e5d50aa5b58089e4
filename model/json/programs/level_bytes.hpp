#pragma once

// The bytes of each level of a program or a function in JSON.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

nlohmann::ordered_json levels_to_json(const std::vector<LevelBytes>& levels);
LevelBytes level_bytes_from(const Fields& fields);

}  // namespace gable::model
