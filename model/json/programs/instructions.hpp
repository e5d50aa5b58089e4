#pragma once

// Instructions and address translation of points.json and of profiles.

#include <nlohmann/json_fwd.hpp>

#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {

nlohmann::ordered_json instructions_to_json(const Instructions& instructions);
/// Throws Error::format.
Instructions instructions_from(const Fields& fields);

nlohmann::ordered_json translation_to_json(const Translation& translation);
/// Throws Error::format.
Translation translation_from(const Fields& fields);

}  // namespace gable::model
