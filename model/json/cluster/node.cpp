#include "model/cluster/node.hpp"
#include "model/json/record_io.hpp"

namespace gable::model {

template <typename Io>
void describe(Io& io, As<NodeFact> auto& fact) {
  io.required("group", fact.group);
  io.required("name", fact.name);
  io.required("value", fact.value);
}

template <typename Io>
void describe(Io& io, As<NodeRecord> auto& record) {
  io.required("node", record.node);
  io.required("status", record.status);
  io.required("reason", record.reason);
  io.required("hardware", record.hardware);
  io.unless(0, "memory_bytes", record.memory_bytes);
  io.required("options", record.options);
  io.required("launch", record.launch);
  io.required("started", record.started);
  io.required("seconds", record.seconds);
  io.required("expected_seconds", record.expected);
  io.required("deadline", record.deadline);
  io.required("clock_ghz", record.clock_ghz);
  io.required("rounds", record.rounds);
  io.required("facts", record.facts);
}

std::string node_record_to_json(const NodeRecord& record) {
  Json out = {{"schema", schema}};
  FieldWriter io{out};
  describe(io, record);
  return json_text(out, 1) + "\n";
}

NodeRecord node_record_from_json(const std::string& text, const std::string& path) {
  const Json root = parse_json(text, path, "remove it, and measure the node again");
  const Fields fields(root, path + ":1");
  fields.schema();
  return record_from<NodeRecord>(fields);
}

}  // namespace gable::model
