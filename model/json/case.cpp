#include "model/json/case.hpp"

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "model/json/record_io.hpp"

namespace gable::model {

void add_case(Json& object, const Case& spec) {
  FieldWriter writer{object};
  describe(writer, spec);
}

void check(const Fields& fields, const Case& spec) {
  fields.integer("load_percent", 0, 100);
  if (spec.other_node >= 0) {
    fields.integer("node_percent", 0, 100);
    if (!is_grid(spec.pattern) || spec.node < 0 || spec.node == spec.other_node)
      fields.fail("\"other_node\" belongs to a hybrid pattern, beside another \"node\"");
    for (const char* const name : {"node_weight", "other_weight"})
      if (spec.node_weight > 0) fields.integer(name, 1, 255);
  }
  if (spec.kind == Kind::validation && spec.flop_per_byte == 0)
    fields.fail("\"flop_per_byte\" is 0, expected a number above 0");
}

Json node_bytes_json(const std::map<int, std::uint64_t>& node_bytes) {
  Json object = Json::object();
  for (const auto& [node, bytes] : node_bytes) object[std::to_string(node)] = bytes;
  return object;
}

}  // namespace gable::model
