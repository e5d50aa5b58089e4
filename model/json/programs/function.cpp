#include "model/json/programs/function.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/json/programs/arithmetic.hpp"
#include "model/json/programs/instructions.hpp"
#include "model/json/programs/level_bytes.hpp"

namespace gable::model {

using nlohmann::ordered_json;

ordered_json whole_number(double value) {
  constexpr double exact = 9007199254740992;  // 2^53
  if (value == std::floor(value) && std::fabs(value) <= exact) return static_cast<std::int64_t>(value);
  return value;
}

ordered_json function_to_json(const FunctionWork& work) {
  ordered_json out = {{"function", work.function},
                      {"object", work.object},
                      {"flops", whole_number(work.flops)},
                      {"load_bytes", whole_number(work.load_bytes)},
                      {"store_bytes", whole_number(work.store_bytes)}};
  if (!work.levels.empty()) out["levels"] = levels_to_json(work.levels);
  if (!work.arithmetic.empty()) out["arithmetic"] = arithmetic_to_json(work.arithmetic);
  if (work.instructions.executed > 0) out["instructions"] = instructions_to_json(work.instructions);
  if (work.translation) out["translation"] = translation_to_json(*work.translation);
  if (work.samples > 0) out["samples"] = whole_number(work.samples);
  return out;
}

FunctionWork function_from(const Fields& fields) {
  FunctionWork work{fields.text("function"), fields.text("object"), fields.number("flops"),
                    fields.number("load_bytes"), fields.number("store_bytes")};
  if (fields.has("levels")) work.levels = fields.array("levels", level_bytes_from);
  if (fields.has("arithmetic")) work.arithmetic = fields.array("arithmetic", arithmetic_from);
  if (fields.has("instructions")) work.instructions = instructions_from(fields.object("instructions"));
  if (fields.has("translation")) work.translation = translation_from(fields.object("translation"));
  if (fields.has("samples")) work.samples = fields.number("samples");
  return work;
}

}  // namespace gable::model
