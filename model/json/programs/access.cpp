#include "model/json/programs/access.hpp"

#include <nlohmann/json.hpp>

#include "model/json/programs/function.hpp"

namespace gable::model {

using nlohmann::ordered_json;

namespace {

NodeAccess node_access_from(const Fields& fields) {
  NodeAccess access;
  access.node = fields.integer("node");
  if (fields.has("cluster") && !fields.at("cluster").is_null()) access.cluster = fields.integer("cluster");
  access.load = fields.number("load_bytes");
  access.store = fields.number("store_bytes");
  return access;
}

}  // namespace

ordered_json access_to_json(const Point& point) {
  ordered_json out = {{"source", name_of(point.access_source)}, {"nodes", ordered_json::array()}};
  if (point.access_samples > 0) out["samples"] = point.access_samples;
  for (const NodeAccess& access : point.access) {
    out["nodes"].push_back(
        {{"node", access.node},
         {"cluster", access.cluster < 0 ? ordered_json(nullptr) : ordered_json(access.cluster)},
         {"load_bytes", whole_number(access.load)},
         {"store_bytes", whole_number(access.store)}});
  }
  return out;
}

void read_access(const Fields& fields, Point& point) {
  point.access_source = fields.word<AccessSource>("source");
  point.access = fields.array("nodes", node_access_from);
  if (fields.has("samples")) point.access_samples = fields.number("samples");
}

}  // namespace gable::model
