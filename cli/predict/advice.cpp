#include "cli/predict/advice.hpp"

#include <fmt/format.h>

#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "cli/predict/elsewhere.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/predict/placement_advice.hpp"

namespace gable::cli {
namespace {

// Where data may lie: as --to says it, and in words.
struct Place {
  std::string to, words;
};

std::vector<Place> nodes_of_cluster(const model::Roofs& roofs, int cluster) {
  std::set<int> nodes;
  for (const model::Roof& roof : roofs.roofs) {
    const model::Case& spec = roof.spec;
    if (roof.status == model::Status::ok && spec.kind == model::Kind::bandwidth && spec.cluster == cluster &&
        model::is_memory(spec.level) && spec.node >= 0)
      nodes.insert(spec.node);
  }
  std::vector<Place> places;
  for (const int node : nodes)
    places.push_back({fmt::format("node:{}", node),
                      fmt::format("its data on node {} ({})", node, name_of(model::tier_of(roofs, node)))});
  return places;
}

// Of all clusters: each thread's data on a node of its own cluster, or all data over all nodes.
std::vector<Place> places_of_clusters(const RecordedMachine& machine) {
  std::vector<std::string> tiers;
  std::size_t nodes = 0;
  for (const machines::Cluster& cluster : machine.clusters) {
    for (const unsigned node : cluster.nodes) {
      if (const auto tier = machine.tier_of(static_cast<int>(node)).single())
        add_once(tiers, std::string(model::name_of(*tier)));
      ++nodes;
    }
  }
  std::vector<Place> places;
  for (const std::string& tier : tiers)
    places.push_back({tier, fmt::format("each thread's data on its own cluster's node ({})", tier)});
  if (nodes > 1) places.push_back({"interleave", "its data interleaved over all nodes"});
  return places;
}

std::vector<model::PlacedForecast> forecasts_of(const PredictMachine& machine, const model::Point& point,
                                                ProfileFiles& files) {
  const std::vector<Place> places = point.cluster >= 0
                                        ? nodes_of_cluster(machine.background.roofs, point.cluster)
                                        : places_of_clusters(machine.recorded);
  if (places.size() < 2) return {};
  PredictedRows rows = predict_places(machine, point, each_of(places, &Place::to), files);
  std::vector<model::PlacedForecast> found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    PredictedRow& row = rows.rows[i];
    const bool is_there = row.setting.roofs != nullptr && model::lie_alike(rows.here->like, row.setting.like);
    if (!is_there) found.push_back({places[i].words, std::move(row.forecast)});
  }
  return found;
}

// A profile that is missing or broken, or a point that contradicts the roofs, has no forecast.
std::vector<model::PlacedForecast> known_forecasts(const PredictMachine& machine, const model::Point& point,
                                                   ProfileFiles& files) {
  try {
    return forecasts_of(machine, point, files);
  } catch (const Error& error) {
    if (error.kind == Error::Kind::interrupted) throw;
    return {};
  }
}

}  // namespace

void add_placement_advice(const std::string& folder, const Background& background,
                          const std::vector<model::Point>& points, std::vector<model::Reading>& readings) {
  if (points.empty() || background.roofs.roofs.empty()) return;
  std::vector<std::size_t> placed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].node_bytes.empty() || !points[i].access.empty()) placed.push_back(i);
  }
  if (placed.empty()) return;
  sort_by(placed, [&](std::size_t i) { return points[i].profile; });
  const PredictMachine machine = predict_machine(folder, background);
  ProfileFiles files;
  for (const std::size_t i : placed) {
    const auto places = known_forecasts(machine, points[i], files);
    readings[i].verdict.add(model::placement_advice(points[i], readings[i], places));
  }
}

}  // namespace gable::cli
