#include "cli/cluster/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/words.hpp"
#include "cli/interrupt.hpp"
#include "cli/report/report.hpp"
#include "cli/text/columns.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/html/page.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {

namespace {

// Nodes, groups, spreads and outliers; docs/many-machines/cluster.md lists the fields.
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

std::string group_text(const RecordedCluster& cluster, const NodeGroup& group,
                       const ClusterShowArguments& arguments) {
  std::string text =
      table_text(spread_table(cluster, group, arguments.all)) + table_text(outlier_table(cluster, group));
  if (arguments.nodes) text += table_text(node_table(cluster, group));
  return text;
}

// `roof`: the question of the map.
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

}  // namespace

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

void cluster_show(const ClusterShowArguments& arguments) {
  const RecordedCluster cluster = recorded_cluster(arguments.folder);
  const std::size_t roof = question_named(cluster, arguments.roof);
  std::string text = arguments.json ? cluster_json(cluster) : nodes_summary(cluster) + "\n";
  if (!arguments.json) {
    for (const NodeGroup& group : cluster.groups) text += group_text(cluster, group, arguments);
    text += table_text(mpi_table(cluster.mpi)) + table_text(clock_table(cluster.mpi));
  }
  std::fputs(text.c_str(), stdout);
  if (!arguments.output.empty())
    draw_charts(charts_of_cluster(cluster, roof), arguments.output, arguments.pictures,
                arguments.json ? stderr : stdout);
}

void cluster_report(const ClusterShowArguments& arguments) {
  const RecordedCluster cluster = recorded_cluster(arguments.folder);
  const std::size_t roof = question_named(cluster, arguments.roof);
  const std::string output = arguments.output.empty()
                                 ? (std::filesystem::path(arguments.folder) / "report.html").string()
                                 : arguments.output;
  require_output("--output", output);
  stop_requested();
  ReportCharts figures;
  html::Page page;
  page.title = cluster.name;
  const std::string summary = nodes_summary(cluster);
  page.subtitle = summary.substr(0, summary.find('\n'));
  std::string reasons = summary.substr(summary.find('\n') + 1);
  page.top = reasons.empty() ? html::paragraph("Every node has its figures.")
                             : "<pre>" + html::escaped(reasons) + "</pre>\n";
  for (std::size_t i = 0; i < cluster.groups.size(); ++i) {
    const NodeGroup& group = cluster.groups[i];
    const NodeGroupCharts charts = charts_of_group(cluster, i, roof);
    std::string body = html::table_html(outlier_table(cluster, group));
    if (group.outliers.empty()) body += html::paragraph("No node differs significantly from the others.");
    body +=
        figures.html_of({charts.map, charts.strips}) + html::table_html(spread_table(cluster, group, true));
    constexpr std::size_t most_nodes = 256;
    if (group.nodes.size() <= most_nodes)
      body += html::details_html("Every node", html::table_html(node_table(cluster, group)));
    page.sections.push_back(
        {fmt::format("group-{}", i + 1),
         fmt::format("{} of {}", count_text(std::ssize(group.nodes), "node"), group.hardware), body});
  }
  if (!cluster.mpi.figures.empty())
    page.sections.push_back({"mpi", "Between processes",
                             figures.html_of(charts::mpi_charts(cluster.name, cluster.mpi)) +
                                 html::table_html(mpi_table(cluster.mpi)) +
                                 html::table_html(clock_table(cluster.mpi))});
  fmt::print("{}\n", figures.write(page, "cluster report", output));
}

}  // namespace gable::cli
