#include "plots/charts/charts.hpp"

#include <set>

#include "base/lists.hpp"
#include "model/records/placed.hpp"

namespace gable::charts {

namespace {

constexpr Chart (*cluster_charts[])(const Recorded&, int) = {larm_chart, ladder_chart, latency_chart,
                                                             loaded_latency_chart};
constexpr Chart (*pair_charts[])(const Recorded&, const model::HybridPair&) = {hybrid_chart,
                                                                               hybrid_applications_chart};
constexpr Chart (*machine_charts[])(const Recorded&) = {bandwidth_matrix, latency_matrix};

// The charts of what programs do; the others are not missed where no program has a profile.
void add_program_charts(const Recorded& recorded, int cluster, std::vector<Chart>& charts) {
  if (recorded.with_functions) charts.push_back(functions_chart(recorded, cluster));
  for (const auto make : {accesses_chart, objects_chart}) {
    Chart chart = make(recorded, cluster);
    if (chart.omitted.empty()) charts.push_back(std::move(chart));
  }
}

}  // namespace

std::vector<Chart> tier_charts(const Recorded& recorded, int cluster) {
  std::vector<std::string> ways;
  bool any = false;
  for (const model::TierFigure& figure : recorded.tiers) {
    const model::TierCase& spec = figure.spec;
    if (spec.cluster != cluster) continue;
    any = true;
    if (stores_blocks(spec) && figure.status == model::Status::ok) add_once(ways, spec.way);
  }
  auto charts = each_of(ways, [&](const std::string& way) { return writes_chart(recorded, cluster, way); });
  if (any) charts.push_back(tier_threads_chart(recorded, cluster));
  return charts;
}

std::vector<int> clusters_of(const Recorded& recorded) {
  std::set<int> clusters = clusters_in(recorded.roofs.roofs);
  clusters.merge(clusters_in(recorded.roofs.ladder));
  for (const model::HybridPair& pair : recorded.hybrid.pairs) clusters.insert(pair.cluster);
  for (const model::Placed& placed : recorded.placed) clusters.insert(placed.cluster);
  for (const model::TierFigure& figure : recorded.tiers) clusters.insert(figure.spec.cluster);
  return {clusters.begin(), clusters.end()};
}

std::vector<Chart> charts_of(const Recorded& recorded, int wanted, bool has_roofs) {
  std::vector<Chart> charts;
  for (const int cluster : clusters_of(recorded)) {
    if (wanted >= 0 && cluster != wanted) continue;
    if (has_roofs) {
      for (const auto make : cluster_charts) charts.push_back(make(recorded, cluster));
      add_program_charts(recorded, cluster, charts);
    }
    for (const auto make : {place_charts, tier_charts}) add_all(charts, make(recorded, cluster));
  }
  for (const model::HybridPair& pair : recorded.hybrid.pairs) {
    if (wanted >= 0 && pair.cluster != wanted) continue;
    for (const auto make : pair_charts) charts.push_back(make(recorded, pair));
    if (!recorded.points.empty()) charts.push_back(hybrid_programs_chart(recorded, pair));
  }
  if (wanted >= 0) return charts;
  for (const auto make : machine_charts)
    if (has_roofs) charts.push_back(make(recorded));
  add_all(charts, c2c_charts(recorded));
  return charts;
}

}  // namespace gable::charts
