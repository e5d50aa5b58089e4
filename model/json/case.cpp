#include "model/json/case.hpp"

#include <nlohmann/json.hpp>

namespace gable::model {

using nlohmann::ordered_json;

void add_case(ordered_json& object, const Case& asked) {
  object["cluster"] = asked.cluster;
  object["kind"] = asked.kind;
  object["level"] = asked.level;
  object["pattern"] = asked.pattern;
  object["node"] = asked.node < 0 ? ordered_json(nullptr) : ordered_json(asked.node);
  object["tier"] = asked.tier;
  object["op"] = asked.op;
  object["kernel"] = asked.kernel;
  object["precision"] = asked.precision;
  object["pages"] = asked.pages;
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
  static const std::vector<std::string> patterns = {"cache",     "local",  "local_all", "remote", "contended",
                                                    "congested", "hybrid", "ladder",    "core"};
  Case asked;
  asked.cluster = fields.integer("cluster");
  asked.kind = fields.one_of("kind", {"bandwidth", "flops", "latency", "loaded_latency", "validation"});
  asked.level = fields.text("level");
  asked.pattern = fields.one_of("pattern", patterns);
  asked.node = fields.at("node").is_null() ? -1 : fields.integer("node");
  asked.tier = fields.text("tier");
  asked.op = fields.text("op");
  asked.kernel = fields.text("kernel");
  asked.precision = fields.text("precision");
  asked.pages = fields.text("pages");
  asked.threads = fields.integer("threads");
  asked.smt = fields.boolean("smt");
  asked.bytes = fields.bytes("bytes");
  asked.load_percent = fields.integer("load_percent", 0, 100);
  if (fields.has("other_node")) {
    asked.other_node = fields.integer("other_node");
    asked.node_percent = fields.integer("node_percent", 0, 100);
    if (asked.pattern != "hybrid" || asked.node < 0 || asked.node == asked.other_node)
      fields.fail("\"other_node\" belongs to the pattern \"hybrid\", beside another \"node\"");
    if (fields.has("node_weight")) {
      asked.node_weight = fields.integer("node_weight", 1, 255);
      asked.other_weight = fields.integer("other_weight", 1, 255);
    }
  }
  if (asked.kind == "validation") {
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

const char* name_of(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::skipped:
      return "skipped";
    case Status::invalid:
      return "invalid";
  }
  return "";
}

Status status_from(const Fields& fields) {
  const std::string name = fields.one_of("status", {"ok", "skipped", "invalid"});
  return name == "ok" ? Status::ok : name == "skipped" ? Status::skipped : Status::invalid;
}

}  // namespace gable::model
