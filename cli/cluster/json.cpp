#include "cli/cluster/json.hpp"

#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace gable::cli {

std::string cluster_json(const RecordedCluster& cluster) {
  Json out = {
      {"schema", model::schema}, {"name", cluster.name}, {"nodes", Json::array()}, {"groups", Json::array()}};
  for (const ClusterNode& node : cluster.nodes)
    out["nodes"].push_back({{"node", node.record.node},
                            {"status", name_of(node.record.status)},
                            {"reason", sentence(node.record.reason)},
                            {"clock_ghz", node.record.clock_ghz}});
  for (const NodeGroup& group : cluster.groups) {
    Json one = {{"hardware", group.hardware},
                {"nodes", Json::array()},
                {"roofs", Json::array()},
                {"outliers", Json::array()}};
    for (const std::size_t node : group.nodes) one["nodes"].push_back(cluster.nodes[node].record.node);
    for (std::size_t i = 0; i < group.questions.size(); ++i) {
      const model::RoofSpread& spread = group.spreads[i];
      const model::NodeQuestion& question = cluster.questions[group.questions[i]];
      one["roofs"].push_back({{"roof", question.name},
                              {"unit", question.unit},
                              {"nodes", spread.n},
                              {"median", spread.median},
                              {"least", spread.least},
                              {"most", spread.most},
                              {"low_quartile", spread.low},
                              {"high_quartile", spread.high},
                              {"deviation", spread.deviation}});
    }
    for (const NodeOutlier& each : group.outliers)
      one["outliers"].push_back({{"node", cluster.nodes[each.node].record.node},
                                 {"roof", cluster.questions[each.question].name},
                                 {"value", each.value},
                                 {"change", each.change},
                                 {"p", each.p},
                                 {"worse", each.worse},
                                 {"differs", what_differs(cluster, group, each.node)}});
    out["groups"].push_back(std::move(one));
  }
  return json_text(out, 1) + "\n";
}

}  // namespace gable::cli
