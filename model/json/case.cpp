#include "model/json/case.hpp"

#include <nlohmann/json.hpp>

namespace gable::model {

using nlohmann::ordered_json;

void add_case(ordered_json& object, const Case& spec) {
  object["cluster"] = spec.cluster;
  object["kind"] = name_of(spec.kind);
  object["level"] = spec.level.name();
  object["pattern"] = name_of(spec.pattern);
  object["node"] = spec.node < 0 ? ordered_json(nullptr) : ordered_json(spec.node);
  object["tier"] = name_of(spec.tier);
  object["op"] = spec.op.name();
  object["kernel"] = spec.kernel;
  object["precision"] = name_of(spec.precision);
  object["pages"] = name_of(spec.pages);
  object["threads"] = spec.threads;
  object["smt"] = spec.smt;
  object["bytes"] = spec.bytes;
  object["load_percent"] = spec.load_percent;
  if (spec.other_node >= 0) {
    object["other_node"] = spec.other_node;
    object["node_percent"] = spec.node_percent;
    if (spec.node_weight > 0) {
      object["node_weight"] = spec.node_weight;
      object["other_weight"] = spec.other_weight;
    }
  }
  if (spec.flop_per_byte > 0) object["flop_per_byte"] = spec.flop_per_byte;
}

Case case_from(const Fields& fields) {
  Case spec;
  spec.cluster = fields.integer("cluster");
  spec.kind = fields.word<Kind>("kind");
  spec.level = Level(fields.text("level"));
  spec.pattern = fields.word<Pattern>("pattern");
  spec.node = fields.at("node").is_null() ? -1 : fields.integer("node");
  spec.tier = fields.tiers("tier");
  spec.op = Operation(fields.text("op"));
  spec.kernel = fields.text("kernel");
  spec.precision = fields.word<Precision>("precision");
  spec.pages = fields.pages("pages");
  spec.threads = fields.integer("threads");
  spec.smt = fields.boolean("smt");
  spec.bytes = fields.bytes("bytes");
  spec.load_percent = fields.integer("load_percent", 0, 100);
  if (fields.has("other_node")) {
    spec.other_node = fields.integer("other_node");
    spec.node_percent = fields.integer("node_percent", 0, 100);
    if (!is_grid(spec.pattern) || spec.node < 0 || spec.node == spec.other_node)
      fields.fail("\"other_node\" belongs to a hybrid pattern, beside another \"node\"");
    if (fields.has("node_weight")) {
      spec.node_weight = fields.integer("node_weight", 1, 255);
      spec.other_weight = fields.integer("other_weight", 1, 255);
    }
  }
  if (spec.kind == Kind::validation) {
    spec.flop_per_byte = fields.number("flop_per_byte");
    if (spec.flop_per_byte == 0) fields.fail("\"flop_per_byte\" is 0, expected a number above 0");
  }
  return spec;
}

nlohmann::ordered_json node_bytes_json(const std::map<int, std::uint64_t>& node_bytes) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [node, bytes] : node_bytes) object[std::to_string(node)] = bytes;
  return object;
}

}  // namespace gable::model
