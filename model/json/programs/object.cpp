#include "model/json/programs/object.hpp"

#include <nlohmann/json.hpp>

#include "model/json/programs/level_bytes.hpp"

namespace gable::model {

nlohmann::ordered_json object_to_json(const ObjectBytes& object) {
  return {
      {"object", object.name}, {"peak_bytes", object.peak_bytes}, {"levels", levels_to_json(object.levels)}};
}

ObjectBytes object_bytes_from(const Fields& fields) {
  return {fields.text("object"), fields.bytes("peak_bytes"), fields.array("levels", level_bytes_from)};
}

}  // namespace gable::model
