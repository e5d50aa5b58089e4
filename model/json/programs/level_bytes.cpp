#include "model/json/programs/level_bytes.hpp"

#include <nlohmann/json.hpp>

#include "model/json/programs/function.hpp"

namespace gable::model {

using nlohmann::ordered_json;

ordered_json levels_to_json(const std::vector<LevelBytes>& levels) {
  ordered_json out = ordered_json::array();
  for (const LevelBytes& bytes : levels) {
    out.push_back({{"level", bytes.level.name()},
                   {"read", whole_number(bytes.read)},
                   {"written", whole_number(bytes.written)},
                   {"irregular", whole_number(bytes.irregular)},
                   {"chained", whole_number(bytes.chained)}});
    if (bytes.streamed > 0) out.back()["streamed"] = whole_number(bytes.streamed);
    if (bytes.conflicts > 0) out.back()["conflicts"] = whole_number(bytes.conflicts);
  }
  return out;
}

LevelBytes level_bytes_from(const Fields& fields) {
  LevelBytes bytes;
  bytes.level = Level(fields.text("level"));
  bytes.read = fields.number("read");
  bytes.written = fields.number("written");
  if (fields.has("irregular")) bytes.irregular = fields.number("irregular");
  if (fields.has("chained")) bytes.chained = fields.number("chained");
  if (fields.has("streamed")) bytes.streamed = fields.number("streamed");
  if (fields.has("conflicts")) bytes.conflicts = fields.number("conflicts");
  return bytes;
}

}  // namespace gable::model
