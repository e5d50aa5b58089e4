#include "model/json/case.hpp"

#include <nlohmann/json.hpp>

namespace gable::model {

using nlohmann::ordered_json;

void add_case(ordered_json& object, const Case& asked) {
  object["cluster"] = asked.cluster;
  object["kind"] = name_of(asked.kind);
  object["level"] = asked.level.name();
  object["pattern"] = name_of(asked.pattern);
  object["node"] = asked.node < 0 ? ordered_json(nullptr) : ordered_json(asked.node);
  object["tier"] = name_of(asked.tier);
  object["op"] = asked.op.name();
  object["kernel"] = asked.kernel;
  object["precision"] = name_of(asked.precision);
  object["pages"] = name_of(asked.pages);
  object["threads"] = asked.threads;
  object["smt"] = asked.smt;
  object["bytes"] = asked.bytes;
  object["load_percent"] = asked.load_percent;
  if (asked.other_node >= 0) {
    object["other_node"] = asked.other_node;
    object["node_percent"] = asked.node_percent;
    if (asked.node_weight > 0) {
      object["node_weight"] = asked.node_weight;
      object["other_weight"] = asked.other_weight;
    }
  }
  if (asked.flop_per_byte > 0) object["flop_per_byte"] = asked.flop_per_byte;
}

Case case_from(const Fields& fields) {
  Case asked;
  asked.cluster = fields.integer("cluster");
  asked.kind = fields.word<Kind>("kind");
  asked.level = Level(fields.text("level"));
  asked.pattern = fields.word<Pattern>("pattern");
  asked.node = fields.at("node").is_null() ? -1 : fields.integer("node");
  asked.tier = fields.tiers("tier");
  asked.op = Operation(fields.text("op"));
  asked.kernel = fields.text("kernel");
  asked.precision = fields.word<Precision>("precision");
  asked.pages = fields.pages("pages");
  asked.threads = fields.integer("threads");
  asked.smt = fields.boolean("smt");
  asked.bytes = fields.bytes("bytes");
  asked.load_percent = fields.integer("load_percent", 0, 100);
  if (fields.has("other_node")) {
    asked.other_node = fields.integer("other_node");
    asked.node_percent = fields.integer("node_percent", 0, 100);
    if (!is_grid(asked.pattern) || asked.node < 0 || asked.node == asked.other_node)
      fields.fail("\"other_node\" belongs to the pattern \"hybrid\", beside another \"node\"");
    if (fields.has("node_weight")) {
      asked.node_weight = fields.integer("node_weight", 1, 255);
      asked.other_weight = fields.integer("other_weight", 1, 255);
    }
  }
  if (asked.kind == Kind::validation) {
    asked.flop_per_byte = fields.number("flop_per_byte");
    if (asked.flop_per_byte == 0) fields.fail("\"flop_per_byte\" is 0, expected a number above 0");
  }
  return asked;
}

nlohmann::ordered_json node_bytes_json(const std::map<int, std::uint64_t>& node_bytes) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [node, bytes] : node_bytes) object[std::to_string(node)] = bytes;
  return object;
}

}  // namespace gable::model
