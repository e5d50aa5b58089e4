// Charts whose entries are cells rather than lines: idle latency by level and node, and the cluster x node
// matrices.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/json/case.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/text.hpp"

namespace gable::cli {

using model::Roof;
using model::Status;

namespace {

bool is_own(const Roof& roof) {
  return roof.asked.pattern == "local" || roof.asked.pattern == "remote";
}

// Caches first, then nodes; local before remote.
bool stands_before(const Roof& a, const Roof& b) {
  const auto rank = [](const Roof& roof) {
    const model::Case& asked = roof.asked;
    return std::tuple(asked.level == "memory", asked.level, asked.pattern == "remote", asked.node,
                      asked.pages != "4k", asked.pages);
  };
  return rank(a) < rank(b);
}

std::string status_text(const Roof& roof) {
  return roof.status == Status::ok ? "" : "–";
}

struct Nodes {
  std::map<int, std::string> tiers;
  std::map<int, std::size_t> columns;
};

Nodes nodes_of(const std::vector<Roof>& roofs) {
  Nodes nodes;
  for (const Roof& roof : roofs) nodes.tiers[roof.asked.node] = roof.asked.tier;
  for (const auto& [node, tier] : nodes.tiers) nodes.columns.emplace(node, nodes.columns.size());
  return nodes;
}

Chart matrix(const Recorded& recorded, const std::string& name, const std::string& subject,
             const std::string& kind, const std::string& op) {
  Chart chart{name, "matrix.gp", Table({}), {}, {}};
  const auto cells = best_of_each(recorded.roofs.roofs, [&](const Roof& roof) {
    return roof.asked.kind == kind && roof.asked.level == "memory" && roof.asked.node >= 0 && is_own(roof) &&
           (op.empty() || roof.asked.op == op);
  });
  const Nodes nodes = nodes_of(cells);
  std::map<int, std::size_t> clusters;
  double least = 0, most = 0;
  for (const Roof& cell : cells) {
    clusters[cell.asked.cluster];
    if (cell.status != Status::ok) continue;
    least = least == 0 ? cell.value : std::min(least, cell.value);
    most = std::max(most, cell.value);
  }
  if (most == 0) {
    chart.omitted = cells.empty() ? fmt::format("no {} of the memory nodes was measured", kind)
                                  : fmt::format("no {} of the memory nodes is valid; see `gable fit`", kind);
    return chart;
  }
  if (cells.size() == 1) {
    chart.omitted = "there is one figure, which the other charts show";
    return chart;
  }
  std::size_t row = 0;
  for (auto& [cluster, place] : clusters) place = row++;

  std::vector<std::string> columns = roof_columns();
  for (const char* more : {"column", "row", "text", "column_label", "row_label", "shade"})
    columns.push_back(more);
  chart.table = Table(columns);
  for (const Roof& cell : cells) {
    chart.table.add_row();
    set_roof(chart.table, cell);
    chart.table.set("column", static_cast<double>(nodes.columns.at(cell.asked.node)));
    chart.table.set("row", static_cast<double>(clusters.at(cell.asked.cluster)));
    chart.table.set("text", cell.status == Status::ok ? three_digits(cell.value) : status_text(cell));
    chart.table.set("column_label", fmt::format("node {} {}", cell.asked.node, cell.asked.tier));
    chart.table.set("row_label", fmt::format("cluster {}", cell.asked.cluster));
    if (cell.status == Status::ok)
      chart.table.set("shade", most > least ? (cell.value - least) / (most - least) : 0.5);
  }
  const double cell_width = 104, cell_height = 44;
  const double width = std::max(420.0, cell_width * static_cast<double>(nodes.columns.size()));
  const double height = cell_height * static_cast<double>(clusters.size());
  const double widest =
      std::max(width + 100 + 30, text_width(subtitle(recorded, conditions_text(cells))) + 40);
  const Canvas canvas{widest, 110 + height + 40, 100, widest - 100 - width, 110, 40};
  canvas.tell(chart.variables);
  set_titles(chart.variables, recorded, subject, -1, conditions_text(cells));
  chart.variables["columns"] = static_cast<double>(nodes.columns.size());
  chart.variables["rows"] = static_cast<double>(clusters.size());
  const bool gaps =
      std::any_of(cells.begin(), cells.end(), [](const Roof& cell) { return cell.status != Status::ok; });
  chart.variables["note_text"] =
      gaps ? fmt::format("Hatched: skipped or invalid, reasons in {}.tsv.", name) : std::string();
  return chart;
}

}  // namespace

Chart latency_chart(const Recorded& recorded, int cluster) {
  Chart chart{fmt::format("latency-{}", cluster), "latency.gp", Table({}), {}, {}};
  std::vector<Roof> bars;
  for (const Roof& roof : recorded.roofs.roofs) {
    if (roof.asked.kind == "latency" && roof.asked.cluster == cluster) bars.push_back(roof);
  }
  std::stable_sort(bars.begin(), bars.end(), stands_before);
  double most = 0;
  for (const Roof& bar : bars) most = std::max(most, bar.hi);
  if (most == 0) {
    chart.omitted =
        bars.empty() ? "no idle latency was measured" : "no idle latency is valid; see `gable fit`";
    return chart;
  }
  std::vector<std::string> columns = roof_columns();
  for (const char* more : {"place", "name", "text"}) columns.push_back(more);
  chart.table = Table(columns);
  double widest = 0;
  for (const Roof& bar : bars) {
    const std::string name =
        target_text(bar.asked) + pages_clause(bar.asked) + (bar.asked.smt ? ", all hardware threads" : "");
    widest = std::max(widest, text_width(name));
    chart.table.add_row();
    set_roof(chart.table, bar);
    chart.table.set("place", static_cast<double>(chart.table.rows()));
    chart.table.set("name", name);
    const bool ok = bar.status == Status::ok;
    chart.table.set("text",
                    ok ? three_digits(bar.value) + " ns" + interval_text(bar) : model::name_of(bar.status));
  }
  const double height = 26 * static_cast<double>(bars.size());
  const Canvas canvas{widest + 30 + 700, 84 + height + 92, widest + 30, 24, 84, 92};
  canvas.tell(chart.variables);
  const std::string sources = sources_text(bars);
  set_titles(chart.variables, recorded, "Idle latency", cluster,
             sources.empty() ? "1 thread, dependent loads" : "dependent loads; " + sources);
  chart.variables["rows"] = static_cast<double>(bars.size());
  chart.variables["most_ns"] = most * 1.3;  // room for the figures at the ends of the bars
  chart.variables["note_text"] = interval_note("", bars, true);
  return chart;
}

Chart bandwidth_matrix(const Recorded& recorded) {
  const std::string suffix = recorded.op == "load" ? "" : "-" + recorded.op;
  return matrix(recorded, "matrix-bandwidth" + suffix, fmt::format("Bandwidth of {} (GB/s)", recorded.op),
                "bandwidth", recorded.op);
}

Chart latency_matrix(const Recorded& recorded) {
  return matrix(recorded, "matrix-latency", "Idle latency (ns)", "latency", "");
}

}  // namespace gable::cli
