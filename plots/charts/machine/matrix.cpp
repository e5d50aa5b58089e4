// Cluster by node: cells from white to blue with their values.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plots/charts/charts.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

namespace {

constexpr double cell_width = 104, cell_height = 44;

bool is_own(const Roof& roof) {
  return is_one_to_one(roof.spec.pattern);
}

// The positions of clusters and nodes, and the range of the values.
struct Layout {
  std::map<int, std::string> nodes;     // their tiers
  std::map<int, double> columns, rows;  // of nodes, of clusters
  Extremes range;

  double shade_of(double value) const {
    const auto [least, most] = range;
    return most > least ? (value - least) / (most - least) : 0.5;
  }
};

Layout layout_of(const std::vector<Roof>& cells) {
  Layout layout;
  for (const Roof& cell : cells) {
    layout.nodes[cell.spec.node] = name_of(cell.spec.tier);
    layout.rows[cell.spec.cluster] = 0;
    if (cell.status == Status::ok) layout.range.see(cell.value);
  }
  for (const auto& [node, tier] : layout.nodes)
    layout.columns.emplace(node, static_cast<double>(layout.columns.size()));
  double row = 0;
  for (auto& [cluster, place] : layout.rows) place = row++;
  return layout;
}

std::string cell_text(const Roof& cell) {
  return cell.status == Status::ok ? three_digits(cell.value) : "–";
}

void add_row(Table& table, const Recorded& recorded, const Roof& cell, const Layout& layout) {
  table.add_row();
  set_roof(table, cell);
  table.set("column", layout.columns.at(cell.spec.node));
  table.set("row", layout.rows.at(cell.spec.cluster));
  table.set("text", cell_text(cell));
  table.set("column_label", fmt::format("node {} {}", cell.spec.node, name_of(cell.spec.tier)));
  table.set("row_label", cluster_text(recorded, cell.spec.cluster));
}

Panel panel_of(const Recorded& recorded, const Layout& layout) {
  const bool column_size = recorded.column;
  Panel panel;
  const auto columns = static_cast<double>(layout.columns.size()),
             rows = static_cast<double>(layout.rows.size());
  double labels = 0;
  for (const auto& [cluster, row] : layout.rows)
    labels = std::max(labels, text_width(cluster_text(recorded, cluster)));
  panel.area = {std::max(100.0, labels + 30), 110, std::max(420.0, cell_width * columns), cell_height * rows};
  if (column_size)
    panel.area = {std::max(80.0, labels + 15), 110, column_page - std::max(88.0, labels + 23), 30 * rows};
  panel.frame = Frame::none;
  panel.x_on_top = true;
  panel.x = places_axis(columns);
  panel.y = rows_axis(rows);
  for (const auto& [node, column] : layout.columns)
    panel.x.ticks->push_back(
        {column, fmt::format("{}{} {}", column_size ? "" : "node ", node, layout.nodes.at(node))});
  for (const auto& [cluster, row] : layout.rows)
    panel.y.ticks->push_back({row, cluster_text(recorded, cluster)});
  return panel;
}

Chart matrix(const Recorded& recorded, const std::string& name, const std::string& subject, model::Kind kind,
             const model::Operation& op) {
  const auto cells = model::best_of_each(recorded.roofs.roofs, [&](const Roof& roof) {
    return roof.spec.kind == kind && is_memory(roof.spec.level) && roof.spec.node >= 0 && is_own(roof) &&
           (op.empty() || roof.spec.op == op);
  });
  const Layout layout = layout_of(cells);
  if (layout.range.most == 0) {
    return omitted_chart(
        name, cells.empty()
                  ? fmt::format("no {} of the memory nodes was measured", row_of(kind).words)
                  : fmt::format("no {} of the memory nodes is valid; see `gable fit`", row_of(kind).words));
  }
  if (cells.size() == 1) return omitted_chart(name, "there is only one value, which the other charts show");

  Chart chart;
  chart.name = name;
  chart.table = roof_table({"column", "row", "text", "column_label", "row_label"});
  Panel panel = panel_of(recorded, layout);
  for (const Roof& cell : cells) {
    add_row(chart.table, recorded, cell, layout);
    const double x = layout.columns.at(cell.spec.node), y = layout.rows.at(cell.spec.cluster);
    const bool ok = cell.status == Status::ok;
    const double share = ok ? layout.shade_of(cell.value) : 0;
    const std::string what = fmt::format("{}, node {} {}", cluster_text(recorded, cell.spec.cluster),
                                         cell.spec.node, name_of(cell.spec.tier));
    Series one{
        what, Mark::cells,      Style{ok ? darkest_cell : 0xc8c8c8}, {{x, y, ok ? 0.06 + 0.94 * share : 1}},
        0.96, roof_detail(cell)};
    one.style.hatched = !ok;
    panel.series.push_back(std::move(one));
    chart.labels.push_back({cell_text(cell), panel.page_x(x), panel.page_y(y), Align::center,
                            ok && share > 0.68 ? 0xffffff : ink, 13});
  }
  fit_page(chart, panel.area, recorded.column ? 8 : 30, 24);
  chart.panels.push_back(std::move(panel));
  set_titles(chart, recorded, subject, -1, conditions_text(cells));
  make_room_for_texts(chart);
  if (std::ranges::any_of(cells, [](const Roof& cell) { return cell.status != Status::ok; }))
    chart.note = fmt::format("Hatched: skipped or invalid, reasons in {}.", recorded.table_of(name));
  return chart;
}

}  // namespace

Chart bandwidth_matrix(const Recorded& recorded) {
  return matrix(recorded, "matrix-bandwidth" + op_suffix(recorded),
                fmt::format("Bandwidth of {} (GB/s)", recorded.op.name()), model::Kind::bandwidth,
                recorded.op);
}

Chart latency_matrix(const Recorded& recorded) {
  return matrix(recorded, "matrix-latency", "Idle latency (ns)", model::Kind::latency, {});
}

}  // namespace gable::charts
