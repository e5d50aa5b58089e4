// The charts of the recorded placements.

#include "base/lists.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/place/panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "model/tiers/advice.hpp"

namespace gable::charts {

using model::Placed;
using model::Status;

namespace {

using Records = std::vector<Placed>;

constexpr const char* no_figure = "it has no valid run; see `gable place DIR --list`";

PlaceAt at_ranks(const Placed& record) {
  return {static_cast<double>(record.ranks), ""};
}
PlaceAt at_threads(const Placed& record) {
  return {static_cast<double>(record.threads), ""};
}

// The records with the most threads that have a value, without and with SMT. Records of a team that could not
// run appear only in the table of `gable place`.
std::vector<Records> largest_teams(const Records& records) {
  std::vector<Records> teams;
  for (const bool smt : {false, true}) {
    int most = 0;
    for (const Placed& record : records) {
      if (record.smt == smt && record.status == Status::ok) most = std::max(most, record.threads);
    }
    if (most == 0) continue;
    teams.push_back(
        those(records, [&](const Placed& record) { return record.smt == smt && record.threads == most; }));
  }
  return teams;
}

std::string team_of(const Records& records) {
  if (distinct(records, &Placed::threads).size() > 1)  // graphs were run with different numbers
    return records.front().smt ? "threads, one per hardware thread" : "threads, one per core";
  return team_text(records.front().threads, records.front().smt);
}

// A file's name from a graph's.
std::string in_file_name(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '_'; }, '-');
  return text;
}

std::string size_text(const Placed& record) {
  return fmt::format("{} vertices, {} edges, {} runs each", record.vertices, record.edges,
                     model::runs_of(record));
}

const Placed& with_figure(const Records& records) {
  const auto ok = std::ranges::find(records, Status::ok, &Placed::status);
  return ok == records.end() ? records.front() : *ok;
}

// Figures 3.1 to 3.6: PageRank over the number of ranks, without and with SMT.
Chart ranks_chart(const Recorded& recorded, int cluster, const std::string& graph, const Records& records) {
  const std::string name = fmt::format("place-pagerank-{}-{}", cluster, in_file_name(graph));
  if (distinct(records, &Placed::variant).size() < 2)
    return omitted_chart(name, "only one number of ranks was run; use --ranks 1,16,64");
  const std::vector<Records> teams = largest_teams(records);
  if (teams.empty()) return omitted_chart(name, no_figure);
  Chart chart;
  chart.name = name;
  PlacePanels panels(records);
  for (const Records& team : teams) panels.add(team_of(team), 0, team, at_ranks);
  set_titles(chart, recorded, "PageRank on " + graph, cluster, size_text(with_figure(records)));
  panels.finish(chart, "ranks at once", 2, false, true);
  return chart;
}

// Figures 3.9 to 3.12: BFS on every graph, a row for each direction, without and with SMT.
Chart bfs_chart(const Recorded& recorded, int cluster, const Records& records) {
  Chart chart;
  chart.name = fmt::format("place-bfs-{}", cluster);
  const std::vector<std::string> graphs = distinct(records, &Placed::graph);
  const auto at = [&](const Placed& record) {
    return PlaceAt{static_cast<double>(std::ranges::find(graphs, record.graph) - graphs.begin()),
                   record.graph};
  };
  // First the most threads of every graph, which may differ; then each setting separately.
  Records all[2];
  for (const std::string& graph : graphs) {
    for (const Records& team :
         largest_teams(those(records, [&](const Placed& r) { return r.graph == graph; })))
      all[team.front().smt].insert(all[team.front().smt].end(), team.begin(), team.end());
  }
  const int columns = (all[0].empty() ? 0 : 1) + (all[1].empty() ? 0 : 1);
  if (columns == 0) return omitted_chart(chart.name, no_figure);
  PlacePanels panels(records);
  int row = 0;
  for (const std::string& variant : distinct(records, &Placed::variant)) {
    for (const Records& team : all) {
      if (team.empty()) continue;
      const Records shown = those(team, [&](const Placed& record) { return record.variant == variant; });
      panels.add(fmt::format("{}, {}", variant, team_of(team)), row, shown, each_of(shown, at));
    }
    ++row;
  }
  set_titles(chart, recorded, "Breadth-first search", cluster,
             fmt::format("{} runs each", model::runs_of(with_figure(records))));
  panels.finish(chart, "", columns, true, false);
  return chart;
}

// A chart over the number of threads, with separate panels for each variant, without and with SMT. Nothing if
// only one number of threads was run.
std::optional<Chart> threads_chart(const Recorded& recorded, int cluster, const std::string& graph,
                                   const Records& records) {
  const std::string& workload = records.front().workload;
  Chart chart;
  chart.name = fmt::format("place-{}-threads-{}-{}", workload, cluster, in_file_name(graph));
  PlacePanels panels(records);
  int row = 0;
  for (const std::string& variant : distinct(records, &Placed::variant)) {
    for (const bool smt : {false, true}) {
      const Records shown = those(records, [&](const Placed& record) {
        return record.variant == variant && record.smt == smt && record.status == Status::ok;
      });
      if (distinct(shown, &Placed::threads).size() < 2) continue;
      panels.add(variant + (smt ? ", one per hardware thread" : ", one per core"), row, shown, at_threads);
    }
    ++row;
  }
  if (panels.count() == 0) return std::nullopt;
  set_titles(chart, recorded,
             fmt::format("{} on {}", workload == "bfs" ? "Breadth-first search" : "PageRank", graph), cluster,
             size_text(with_figure(records)));
  panels.finish(chart, "threads", panels.count() > 4 ? 4 : std::max(1, panels.count()), false, false);
  return chart;
}

}  // namespace

std::vector<Chart> place_charts(const Recorded& recorded, int cluster) {
  std::vector<Chart> charts;
  const auto letters = model::tier_letters(recorded.placed);
  for (const char* workload : {"pagerank", "bfs"}) {
    const Records of_workload = those(recorded.placed, [&](const Placed& record) {
      return record.cluster == cluster && record.workload == workload &&
             !recorded.hides(model::placement_code(record, letters));
    });
    if (of_workload.empty()) continue;
    const bool is_bfs = of_workload.front().workload == "bfs";
    if (is_bfs) charts.push_back(bfs_chart(recorded, cluster, of_workload));
    for (const std::string& graph : distinct(of_workload, &Placed::graph)) {
      const Records records = those(of_workload, [&](const Placed& record) { return record.graph == graph; });
      if (!is_bfs) charts.push_back(ranks_chart(recorded, cluster, graph, records));
      if (auto chart = threads_chart(recorded, cluster, graph, records)) charts.push_back(*std::move(chart));
    }
  }
  // Names that differ only in characters that a file name cannot have.
  for (std::size_t i = 0; i < charts.size(); ++i) {
    int same = 0;
    for (std::size_t j = 0; j < i; ++j) same += charts[j].name == charts[i].name;
    if (same > 0) charts[i].name += fmt::format("-{}", same + 1);
  }
  return charts;
}

}  // namespace gable::charts
