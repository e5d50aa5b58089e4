#include "cli/cluster/charts.hpp"

#include <algorithm>

#include "plots/charts/cluster/mpi.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::cli {

charts::NodeGroupFigures figures_of_group(const RecordedCluster& cluster, std::size_t index) {
  const NodeGroup& group = cluster.groups[index];
  charts::NodeGroupFigures figures{cluster.name, group.hardware, index, {}, {}};
  for (const std::size_t node : group.nodes) figures.nodes.push_back(cluster.nodes[node].record.node);
  for (const std::size_t q : group.questions) {
    const model::NodeQuestion& question = cluster.questions[q];
    if (!is_main_roof(question)) continue;
    charts::NodeRoof roof{question.name, question.unit, cluster.values(group, q), {}};
    for (const NodeOutlier& each : group.outliers) {
      if (each.question != q) continue;
      const auto place = std::ranges::lower_bound(group.nodes, each.node);
      roof.outliers.push_back(static_cast<std::size_t>(place - group.nodes.begin()));
    }
    figures.roofs.push_back(std::move(roof));
  }
  return figures;
}

NodeGroupCharts charts_of_group(const RecordedCluster& cluster, std::size_t index, std::size_t roof) {
  const charts::NodeGroupFigures figures = figures_of_group(cluster, index);
  const auto place =
      std::ranges::find(figures.roofs, cluster.questions.at(roof).name, &charts::NodeRoof::name);
  const auto of_map =
      place == figures.roofs.end() ? 0 : static_cast<std::size_t>(place - figures.roofs.begin());
  if (figures.roofs.empty())
    return {charts::strip_chart(figures), charts::omitted_chart("cluster-map", "no roof is known")};
  return {charts::strip_chart(figures), charts::map_chart(figures, of_map)};
}

std::vector<charts::Chart> charts_of_cluster(const RecordedCluster& cluster, std::size_t roof) {
  std::vector<charts::Chart> all;
  for (std::size_t i = 0; i < cluster.groups.size(); ++i) {
    NodeGroupCharts charts = charts_of_group(cluster, i, roof);
    all.push_back(std::move(charts.strips));
    all.push_back(std::move(charts.map));
  }
  for (charts::Chart& chart : charts::mpi_charts(cluster.name, cluster.mpi)) all.push_back(std::move(chart));
  return all;
}

}  // namespace gable::cli
