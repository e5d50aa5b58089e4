#include "cli/cluster/show.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/words.hpp"
#include "cli/cluster/charts.hpp"
#include "cli/cluster/json.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/report/report_charts.hpp"
#include "cli/text/table_text.hpp"
#include "plots/charts/cluster/mpi.hpp"
#include "plots/html/escape.hpp"
#include "plots/html/page.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

std::string group_text(const RecordedCluster& cluster, const NodeGroup& group,
                       const ClusterShowArguments& arguments) {
  std::string text =
      table_text(spread_table(cluster, group, arguments.all)) + table_text(outlier_table(cluster, group));
  if (arguments.nodes) text += table_text(node_table(cluster, group));
  return text;
}

}  // namespace

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
