#include "cli/report/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/fit/tables.hpp"
#include "cli/folder.hpp"
#include "cli/place/memory/memory.hpp"
#include "cli/place/place.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/show/show.hpp"
#include "cli/virt/tables.hpp"
#include "model/json/lines.hpp"
#include "model/records/virt.hpp"
#include "plots/charts/charts.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

using charts::Chart;
using Charts = std::vector<Chart>;

// Tables and pictures of virt.jsonl, and what the recorded noise does on many nodes. Throws Error::format.
std::string virt_html(const ReportContent& content) {
  const std::vector<model::VirtSample> samples =
      model::read_lines<model::VirtSample>(file_in(content.shown.folder, "virt.jsonl"));
  if (samples.empty())
    return absent_html(content, "What virtualization costs is not recorded.",
                       "gable measure DIR --only virt");
  const model::VirtSummary summary = model::virt_summary(samples);
  std::string out;
  for (const Table& table : virt_tables(summary, nullptr)) out += html::table_html(table);
  return out + content.figures.html_of(charts_of_virt(samples, content.recorded.machine));
}

constexpr const char* measure_and_fit = "gable measure DIR && gable fit DIR";

std::string preformatted(const std::string& summary, const std::string& text) {
  return text.empty()
             ? ""
             : html::details_html(
                   summary, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                                html::escaped(summary) + "\"><pre>" + html::escaped(text) + "</pre></div>");
}

// One chart for each cluster that has roofs.
Charts of_clusters(const ReportContent& content, Chart (*make)(const charts::Recorded&, int)) {
  Charts made;
  if (!content.has_roofs()) return made;
  for (const int cluster : charts::clusters_of(content.recorded))
    made.push_back(make(content.recorded, cluster));
  return made;
}

bool any_drawn(const Charts& charts) {
  return std::ranges::any_of(charts, [](const Chart& chart) { return chart.omitted.empty(); });
}

// Why none of the charts is drawn, each reason once: "No working-set ladder was measured."
std::string reasons_text(const Charts& charts) {
  return capitalized(fmt::format("{}.", fmt::join(distinct(charts, &Chart::omitted), "; ")));
}

// The charts; where there is none, why, or else the sentence, and the command.
std::string charts_html(const ReportContent& content, const Charts& charts, const std::string& sentence,
                        const std::string& command) {
  if (any_drawn(charts)) return content.figures.html_of(charts);
  return absent_html(content, charts.empty() ? sentence : reasons_text(charts), command);
}

// Programs without flops, if there are any.
std::string accesses_html(const ReportContent& content) {
  const Charts charts = of_clusters(content, charts::accesses_chart);
  return any_drawn(charts) ? content.figures.html_of(charts) : "";
}

std::string larm_html(const ReportContent& content) {
  Charts charts = of_clusters(content, charts::larm_chart);
  const auto first = std::ranges::find_if(charts, [](const Chart& chart) { return chart.omitted.empty(); });
  if (first == charts.end())
    return absent_html(content, "There is no bandwidth of loads to draw.", measure_and_fit);
  const int cluster =
      charts::clusters_of(content.recorded).at(static_cast<std::size_t>(first - charts.begin()));
  const std::string id = html::id_of(first->name);
  charts.erase(first);
  return fmt::format("<p>The chart of cluster {} is <a href=\"#chart-{}\">on the first screen</a>.</p>\n",
                     cluster, id) +
         content.figures.html_of(charts) + accesses_html(content) + points_html(content);
}

// The measured time of the functions of each program.
std::string function_times_html(const ReportContent& content) {
  constexpr std::size_t most = 10;
  std::string out;
  for (std::size_t i = 0; i < content.shown.points.size(); ++i) {
    Table table = function_times(content.shown.points[i], content.shown.readings.at(i), most);
    if (table.empty() && table.notes.empty()) continue;
    table.title = "Time of the functions of " + content.shown.points[i].name;
    out += html::table_html(table);
  }
  return out;
}

std::string functions_html(const ReportContent& content) {
  return charts_html(content, of_clusters(content, charts::functions_chart), "No function is recorded.",
                     "gable point run DIR -- ./program") +
         function_times_html(content);
}

std::string objects_html(const ReportContent& content) {
  return charts_html(content, of_clusters(content, charts::objects_chart), "No object is recorded.",
                     "gable point run DIR -- ./program");
}

std::string matrices_html(const ReportContent& content) {
  Charts charts;
  if (content.has_roofs())
    charts = {charts::bandwidth_matrix(content.recorded), charts::latency_matrix(content.recorded)};
  const bool one_cell = content.has_one_node() && content.shown.machine->clusters.size() == 1;
  return charts_html(content, charts, "No figures of several clusters or nodes are recorded.",
                     one_cell ? "" : measure_and_fit);
}

std::string latencies_html(const ReportContent& content) {
  return charts_html(content, of_clusters(content, charts::latency_chart), "No idle latency is recorded.",
                     measure_and_fit) +
         charts_html(content, of_clusters(content, charts::loaded_latency_chart),
                     "No latency under load is recorded.", measure_and_fit);
}

std::string hybrids_html(const ReportContent& content) {
  Charts charts;
  for (const model::HybridPair& pair : content.shown.hybrid.pairs) {
    charts.push_back(charts::hybrid_chart(content.recorded, pair));
    charts.push_back(charts::hybrid_applications_chart(content.recorded, pair));
    if (!content.recorded.points.empty())
      charts.push_back(charts::hybrid_programs_chart(content.recorded, pair));
  }
  std::string out =
      charts_html(content, charts, "No grid of two memories is recorded; it takes two memory nodes.",
                  content.has_one_node() ? "" : measure_and_fit);
  out += preformatted("Bandwidths and models of each pair", pairs_table(content.shown.hybrid));
  for (const model::HybridPair& pair : content.shown.hybrid.pairs) {
    if (pair.status != model::Status::ok) continue;
    if (pair.fit.cells == 0) {
      model::Hybrid only;
      only.pairs = {pair};
      out += preformatted(fmt::format("Cluster {}, nodes {} and {}: published θ", pair.cluster,
                                      pair.slow.node, pair.fast.node),
                          thetas_table(only));
      continue;
    }
    out += preformatted(fmt::format("Cluster {}, nodes {} and {}: the models' parameters and errors",
                                    pair.cluster, pair.slow.node, pair.fast.node),
                        hybrid_table(pair.fit));
  }
  return out;
}

std::string c2c_html(const ReportContent& content) {
  const std::vector<model::C2cFigure>& figures = content.shown.c2c;
  if (figures.empty())
    return absent_html(content, "What a line costs that moves between cores is not recorded.",
                       "gable measure DIR --only c2c");
  const std::string sentence = c2c_sentence(figures);
  return (sentence.empty() ? "" : html::paragraph(sentence + ".")) + html::table_html(c2c_table(figures)) +
         content.figures.html_of(charts::c2c_charts(content.recorded)) +
         html::table_html(c2c_groups_table(figures));
}

std::string placements_html(const ReportContent& content) {
  Charts charts;
  for (const int cluster : charts::clusters_of(content.recorded))
    add_all(charts, charts::place_charts(content.recorded, cluster));
  const char* const command = "gable place DIR --bench pagerank --graph kron:20";
  if (content.shown.placed.empty())
    return absent_html(content, "No placement of a workload is recorded.", command);
  return charts_html(content, charts, "No placement has a figure.", command) +
         preformatted("Every placement, with advice", place_table(content.shown.placed));
}

// The lines of a screen as the items of a list.
std::string remarks_html(const std::string& lines) {
  std::string out;
  for (const std::string& line : split(lines, '\n'))
    out += "<li>" +
           html::escaped(capitalized(line.substr(std::min(line.find_first_not_of(' '), line.size())))) +
           "</li>\n";
  return out.empty() ? "" : "<ul>\n" + out + "</ul>\n";
}

std::string tiers_html(const ReportContent& content) {
  Charts charts;
  for (const int cluster : charts::clusters_of(content.recorded))
    add_all(charts, charts::tier_charts(content.recorded, cluster));
  if (content.shown.tiers.empty())
    return absent_html(content, "No benchmark of the tiers of memory is recorded.",
                       "gable place DIR --bench memory");
  return remarks_html(memory_remarks(content.shown.tiers)) + content.figures.html_of(charts) +
         preformatted("Benchmarks of every tier", memory_table(content.shown.tiers));
}

}  // namespace

std::vector<html::Section> report_sections(const ReportContent& content) {
  return {
      {"machine", "Machine", machine_html(content)},
      {"roofs", "Roofs",
       roofs_html(content) +
           preformatted(
               "Instructions per cycle of one core",
               core_table(content.shown.roofs, content.shown.machine ? &*content.shown.machine : nullptr))},
      {"larm", "Rooflines", larm_html(content)},
      {"functions", "Functions", functions_html(content)},
      {"objects", "Objects", objects_html(content)},
      {"matrices", "Clusters × nodes", matrices_html(content)},
      {"ladders", "Ladders",
       charts_html(content, of_clusters(content, charts::ladder_chart), "No working-set ladder is recorded.",
                   measure_and_fit)},
      {"latency", "Latency", latencies_html(content)},
      {"c2c", "Core to core", c2c_html(content)},
      {"hybrid", "Two memories", hybrids_html(content)},
      {"elsewhere", "On other machines", elsewhere_html(content)},
      {"placements", "Placements", placements_html(content)},
      {"tiers", "Tiers", tiers_html(content)},
      {"virt", "Virtualization", virt_html(content)},
      {"kmaf", "kMAF", kmaf_html(content)},
      {"missing", "Skipped and invalid", missing_html(content)},
      {"method", "How it was measured", method_html(content)},
  };
}

}  // namespace gable::cli
