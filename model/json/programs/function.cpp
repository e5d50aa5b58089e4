#include "model/json/programs/function.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace gable::model {

using nlohmann::ordered_json;

ordered_json whole_number(double value) {
  constexpr double exact = 9007199254740992;  // 2^53
  if (value == std::floor(value) && std::fabs(value) <= exact) return static_cast<std::int64_t>(value);
  return value;
}

ordered_json function_to_json(const FunctionWork& work) {
  return {{"function", work.function},
          {"object", work.object},
          {"flops", whole_number(work.flops)},
          {"load_bytes", whole_number(work.load_bytes)},
          {"store_bytes", whole_number(work.store_bytes)}};
}

FunctionWork function_from(const Fields& fields) {
  return {fields.text("function"), fields.text("object"), fields.number("flops"), fields.number("load_bytes"),
          fields.number("store_bytes")};
}

}  // namespace gable::model
