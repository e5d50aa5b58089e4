// Core by core: cells from white to blue, with the borders of the clusters.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/c2c/classes.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::C2cFigure;
using model::C2cMeasure;

namespace {

constexpr std::size_t most_cores = 64;  // more are shown by groups, if there are enough of these
constexpr int least_groups = 8;
constexpr std::size_t most_texts = 12;
constexpr double tick_room = 26;  // of a number on an axis
constexpr double page_side = 560, largest_cell = 44, room = 64, bar_room = 70;

// The rows of the matrix, which are its columns too.
struct Rows {
  std::vector<model::PuGroup> pus;
  std::vector<int> clusters;
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
  Extremes range;
  bool are_groups = false;  // of cores

  double size() const { return static_cast<double>(pus.size()); }
  double shade_of(double value) const {
    const auto [least, most] = range;
    return most > least ? 0.06 + 0.94 * (value - least) / (most - least) : 0.5;
  }
};

// Where machine.json does not tell the cores, each hardware thread in the figures counts as one.
std::vector<RecordedCore> cores_of(const Recorded& recorded) {
  if (!recorded.cores.empty()) return recorded.cores;
  std::set<unsigned> pus;
  for (const C2cFigure& figure : recorded.c2c) pus.insert(figure.spec.pus.begin(), figure.spec.pus.end());
  std::vector<RecordedCore> cores;
  for (const unsigned pu : pus) cores.push_back({{pu}, 0, static_cast<int>(cores.size())});
  return cores;
}

Rows rows_of(const Recorded& recorded, C2cMeasure measure) {
  const std::vector<RecordedCore> cores = cores_of(recorded);
  const bool by_groups = cores.size() > most_cores && cores.back().block + 1 >= least_groups;
  Rows rows;
  rows.are_groups = by_groups;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    if (i == 0 || !by_groups || cores[i].block != cores[i - 1].block) {
      rows.pus.emplace_back();
      rows.clusters.push_back(cores[i].cluster);
    }
    rows.pus.back().insert(rows.pus.back().end(), cores[i].pus.begin(), cores[i].pus.end());
  }
  for (const model::PuGroup& pus : rows.pus)
    rows.names.push_back(by_groups && pus.size() > 1 ? fmt::format("{}…", pus.front())
                                                     : std::to_string(pus.front()));
  rows.values = model::c2c_matrix(recorded.c2c, measure, rows.pus);
  for (const std::vector<double>& row : rows.values) {
    for (const double value : row) {
      if (!std::isnan(value)) rows.range.see(value);
    }
  }
  return rows;
}

std::vector<Tick> ticks_of(const Rows& rows, double side) {
  const auto step = static_cast<std::size_t>(std::ceil(rows.size() * tick_room / side));
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < rows.pus.size(); i += step)
    ticks.push_back({static_cast<double>(i), rows.names[i]});
  return ticks;
}

Panel panel_of(const Recorded& recorded, const Rows& rows, bool has_direction) {
  Panel panel;
  const double width = recorded.column ? column_page - room - bar_room : page_side;
  const double side = std::min(width, largest_cell * rows.size());
  panel.area = {room, 110, side, side};
  panel.frame = Frame::box;
  panel.x_on_top = true;
  panel.x = places_axis(rows.size(), has_direction ? "CPU that reads" : "CPU");
  panel.y = rows_axis(rows.size(), has_direction ? "CPU that has the line" : "CPU");
  panel.x.ticks = panel.y.ticks = ticks_of(rows, side);
  return panel;
}

// One series for each pair of clusters, whose figures a reader of a page sees together.
void add_cells(const Recorded& recorded, const Rows& rows, Panel& panel) {
  std::map<std::pair<int, int>, Series> series;
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    for (std::size_t j = 0; j < rows.values.size(); ++j) {
      if (std::isnan(rows.values[i][j])) continue;
      const std::pair clusters(rows.clusters[i], rows.clusters[j]);
      Series& one = series[clusters];
      one.name = fmt::format("{} to {}", cluster_text(recorded, clusters.first),
                             cluster_text(recorded, clusters.second));
      one.mark = Mark::cells;
      one.style.colour = darkest_cell;
      one.data.push_back({static_cast<double>(j), static_cast<double>(i), rows.shade_of(rows.values[i][j])});
    }
  }
  for (auto& [clusters, one] : series) panel.series.push_back(std::move(one));
}

void add_texts(const Rows& rows, const Panel& panel, Chart& chart) {
  if (rows.pus.size() > most_texts) return;
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    for (std::size_t j = 0; j < rows.values.size(); ++j) {
      const double value = rows.values[i][j];
      if (std::isnan(value)) continue;
      constexpr double dark = 0.68;
      chart.labels.push_back({three_digits(value), panel.page_x(static_cast<double>(j)),
                              panel.page_y(static_cast<double>(i)), Align::center,
                              rows.shade_of(value) > dark ? 0xffffff : ink});
    }
  }
}

// Lines between the clusters, across all rows and columns.
void add_borders(const Rows& rows, const Panel& panel, Chart& chart) {
  const Rectangle& area = panel.area;
  const Style style{ink, 1.4};
  for (std::size_t i = 1; i < rows.clusters.size(); ++i) {
    if (rows.clusters[i] == rows.clusters[i - 1]) continue;
    const double at = static_cast<double>(i) - 0.5;
    chart.strokes.push_back({panel.page_x(at), area.top, panel.page_x(at), area.bottom(), style});
    chart.strokes.push_back({area.left, panel.page_y(at), area.right(), panel.page_y(at), style});
  }
}

// The shades with their values, right of the cells.
Panel bar_of(const Rows& rows, const Panel& cells, Chart& chart) {
  constexpr int steps = 20;
  constexpr double width = 14, gap = 16;
  Panel panel;
  panel.area = {cells.area.right() + gap, cells.area.top, width, cells.area.height};
  panel.frame = Frame::none;
  panel.x_on_top = true;
  panel.x = places_axis(1);
  panel.y = places_axis(steps);
  panel.x.numbered = panel.y.numbered = false;
  Series shades{"", Mark::cells, Style{darkest_cell}, {}, 1.02};
  for (int step = 0; step < steps; ++step) {
    const double value = rows.range.least + (rows.range.most - rows.range.least) * step / (steps - 1);
    shades.data.push_back({0, static_cast<double>(step), rows.shade_of(value)});
  }
  panel.series.push_back(std::move(shades));
  for (const double share : {0.0, 0.5, 1.0})
    chart.labels.push_back({three_digits(rows.range.least + share * (rows.range.most - rows.range.least)),
                            panel.area.left + width + 6, panel.page_y(share * (steps - 1))});
  return panel;
}

// Every figure of a pair, whether or not the matrix shows it.
Table table_of(const Recorded& recorded, C2cMeasure measure) {
  Table table({"first", "second", "node", "home", "class", "ns", "lo", "hi", "visits", "status", "reason"});
  for (const C2cFigure& figure : recorded.c2c) {
    if (figure.spec.measure != measure) continue;
    const model::Estimate of =
        figure.status == model::Status::ok ? figure.estimate : model::Estimate{NAN, NAN, NAN, 0};
    table.add(figure.spec.pus.front(), figure.spec.pus.back(),
              figure.spec.node < 0 ? NAN : static_cast<double>(figure.spec.node), name_of(figure.spec.home),
              name_of(figure.spec.between), of.value, of.lo, of.hi, figure.visits, name_of(figure.status),
              sentence(figure.reason));
  }
  return table;
}

std::string note_of(const Rows& rows) {
  std::string note;
  if (rows.are_groups)
    note =
        "A row is a group of cores that share a cache, named by its first CPU; medians of the measured "
        "pairs. ";
  for (std::size_t i = 0; i < rows.values.size(); ++i)
    for (std::size_t j = 0; j < rows.values.size(); ++j)
      if (i != j && std::isnan(rows.values[i][j]))
        return note + "White: not measured; the preset full measures every pair.";
  return note;
}

}  // namespace

Chart c2c_chart(const Recorded& recorded, C2cMeasure measure) {
  const model::C2cMeasureRow& row = row_of(measure);
  const std::string name = fmt::format("c2c-{}", row.name);
  const Rows rows = rows_of(recorded, measure);
  if (rows.range.most == 0)
    return omitted_chart(name, fmt::format("no {} between cores was measured", row.words));
  Chart chart;
  chart.name = name;
  chart.table = table_of(recorded, measure);
  Panel panel = panel_of(recorded, rows, row.has_direction);
  add_cells(recorded, rows, panel);
  add_texts(rows, panel, chart);
  add_borders(rows, panel, chart);
  fit_page(chart, panel.area, bar_room, 24);
  if (rows.pus.size() > most_texts) chart.panels.push_back(bar_of(rows, panel, chart));
  chart.panels.insert(chart.panels.begin(), std::move(panel));
  set_titles(chart, recorded, fmt::format("Between cores: {} (ns)", row.words), -1, "");
  chart.note = note_of(rows);
  make_room_for_texts(chart);
  return chart;
}

std::vector<Chart> c2c_charts(const Recorded& recorded) {
  if (recorded.c2c.empty()) return {};
  return {c2c_chart(recorded, C2cMeasure::handoff), c2c_chart(recorded, C2cMeasure::modified)};
}

}  // namespace gable::charts
