#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "model/cluster/node.hpp"
#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::model {
namespace {

const std::vector<std::string> node_statuses = {"measuring", "complete", "partial", "failed",
                                                "refused",   "hung",     "lost",    "left out"};

}  // namespace

const char* name_of(NodeStatus status) {
  return node_statuses.at(static_cast<std::size_t>(status)).c_str();
}

std::string node_record_to_json(const NodeRecord& record) {
  Json out = {{"schema", schema},
              {"node", record.node},
              {"status", name_of(record.status)},
              {"reason", record.reason},
              {"hardware", record.hardware},
              {"options", record.options},
              {"launch", record.launch},
              {"started", record.started},
              {"seconds", record.seconds},
              {"expected_seconds", record.expected},
              {"deadline", record.deadline},
              {"clock_ghz", record.clock_ghz},
              {"rounds", record.rounds}};
  out["facts"] = Json::array();
  for (const NodeFact& fact : record.facts)
    out["facts"].push_back({{"group", fact.group}, {"name", fact.name}, {"value", fact.value}});
  return json_text(out, 1) + "\n";
}

NodeRecord node_record_from_json(const std::string& text, const std::string& path) {
  const Json root = parse_json(text, path, "remove it, and measure the node again");
  const Fields fields(root, path + ":1");
  fields.schema();
  NodeRecord record;
  record.node = fields.text("node");
  const std::string status = fields.one_of("status", node_statuses);
  record.status = static_cast<NodeStatus>(std::find(node_statuses.begin(), node_statuses.end(), status) -
                                          node_statuses.begin());
  record.reason = fields.text("reason");
  record.hardware = fields.text("hardware");
  record.options = fields.text("options");
  record.launch = fields.text("launch");
  record.started = fields.text("started");
  record.seconds = fields.number("seconds");
  record.expected = fields.number("expected_seconds");
  record.deadline = fields.number("deadline");
  record.clock_ghz = fields.number("clock_ghz");
  record.rounds = fields.integer("rounds");
  record.facts = fields.array<NodeFact>("facts", [](const Fields& fact) {
    return NodeFact{fact.text("group"), fact.text("name"), fact.text("value")};
  });
  return record;
}

}  // namespace gable::model
