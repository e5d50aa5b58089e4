#include "plots/charts/cluster/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/words.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {
namespace {

using model::MpiFigure;

struct MpiChart {
  const char *name, *title;
  AxisTitle y_title;
  bool over_bytes, of_solver, rate;

  bool shows(const MpiFigure& figure) const {
    const model::MpiMeasureRow& row = row_of(figure.what);
    return row.is_transfer == over_bytes && row.is_solver == of_solver;
  }
};

const std::vector<MpiChart> mpi_kinds = {
    {"mpi-latency", "time of a message", {"time", "µs"}, true, false, false},
    {"mpi-bandwidth", "bandwidth of messages", {"bandwidth", "GB/s"}, true, false, true},
    {"mpi-collectives", "collective operations", {"time", "µs"}, false, false, false},
    {"mpi-hpccg", "HPCCG-like solver", {"speed", "GFlop/s"}, false, true, true},
};

// One line of a chart: by name, x.
using Lines = std::map<std::string, std::map<double, const MpiFigure*>>;

const std::optional<model::Estimate>& figure_in(const MpiFigure& figure, const MpiChart& kind) {
  return kind.rate ? figure.rate : figure.microseconds;
}

Lines lines_in(const std::vector<MpiFigure>& figures, const MpiChart& kind) {
  std::set<std::string> libraries;
  for (const MpiFigure& figure : figures) libraries.insert(figure.mpi);
  Lines lines;
  for (const MpiFigure& figure : figures) {
    if (!kind.shows(figure) || !figure_in(figure, kind)) continue;
    std::string name = name_of(figure.what);
    if (kind.over_bytes) name += ", " + name_of(figure.where);
    if (!kind.over_bytes && figure.bytes > 0) name += fmt::format(" of {}", bytes_text(figure.bytes));
    if (figure.side > 0)
      name += fmt::format(", {}³ points{}", figure.side,
                          figure.what == model::MpiMeasure::hpccg_weak ? " each" : "");
    if (libraries.size() > 1) name += ", " + figure.mpi;
    const double x = kind.over_bytes ? static_cast<double>(figure.bytes) : figure.ranks;
    if (kind.over_bytes && kind.rate && x <= 0) continue;
    lines[name][kind.over_bytes ? std::max(x, 0.5) : x] = &figure;  // 0 B stands left of 1 B
  }
  return lines;
}

Axis x_axis_of(const MpiChart& kind, double least, double most) {
  Axis axis{kind.over_bytes ? "message" : "processes", least / 1.2, most * 1.2, Scale::log2,
            std::vector<Tick>()};
  for (double at = std::max(1.0, least); at <= most * 1.01; at *= kind.over_bytes ? 8 : 2)
    axis.ticks->push_back(
        {at, kind.over_bytes ? bytes_text(static_cast<std::uint64_t>(at)) : fmt::format("{:g}", at)});
  if (kind.over_bytes && least < 1) axis.ticks->insert(axis.ticks->begin(), {0.5, "0"});
  axis.is_bytes = kind.over_bytes;
  return axis;
}

Table mpi_table(const Lines& lines, const MpiChart& kind) {
  Table table({"series", "x", "value", "lo", "hi", "ranks", "nodes", "places", "mpi"});
  for (const auto& [name, points] : lines) {
    for (const auto& [x, figure] : points) {
      const model::Estimate& estimate = *figure_in(*figure, kind);
      table.add(name, x < 1 ? 0 : x, estimate.value, estimate.lo, estimate.hi, figure->ranks, figure->nodes,
                fmt::format("{}", list_text(figure->places)), figure->mpi);
    }
  }
  return table;
}

Chart mpi_chart(const std::string& cluster, const model::MpiRecords& records, const MpiChart& kind) {
  const Lines lines = lines_in(records.figures, kind);
  if (lines.empty()) return omitted_chart(kind.name, "gable-mpi has no valid figure of it");
  Chart chart;
  chart.name = kind.name;
  chart.title = fmt::format("{}: {}", cluster, kind.title);
  chart.subtitle = lines.begin()->second.begin()->second->mpi;
  chart.table = mpi_table(lines, kind);
  Panel panel;
  panel.area = {96, 84, 480, 300};
  Extremes xs, values;
  std::size_t index = 0;
  for (const auto& [name, points] : lines) {
    Series line{name, Mark::line, series_style(index), {}}, dots{"", Mark::points, series_style(index), {}},
        intervals{"", Mark::intervals, series_style(index), {}};
    ++index;
    line.group = dots.group = intervals.group = name;
    dots.style.size = 0.45;
    for (const auto& [x, figure] : points) {
      const model::Estimate& estimate = *figure_in(*figure, kind);
      xs.see(x);
      values.see(estimate.value);
      line.data.push_back({x, estimate.value});
      dots.data.push_back({x, estimate.value});
      intervals.data.push_back({x, estimate.value, estimate.lo, estimate.hi});
    }
    chart.legend.push_back({name, Mark::line, line.style, true});
    for (Series* each : {&intervals, &line, &dots}) panel.series.push_back(std::move(*each));
  }
  panel.x = x_axis_of(kind, xs.least, xs.most);
  panel.y = {kind.y_title, values.least / 1.4, values.most * 1.4, Scale::log10};
  panel.y.ticks = decade_ticks(panel.y.from, panel.y.to);
  fit_page(chart, panel.area, 24);
  chart.panels.push_back(std::move(panel));
  add_legend_below(chart);
  chart.note =
      "Median over rounds; strokes: 95 % interval. Repetitions in which a process was descheduled are "
      "dropped.";
  make_room_for_texts(chart);
  return chart;
}

}  // namespace

std::vector<Chart> mpi_charts(const std::string& cluster, const model::MpiRecords& records) {
  std::vector<Chart> charts;
  if (records.figures.empty()) return charts;
  for (const MpiChart& kind : mpi_kinds) charts.push_back(mpi_chart(cluster, records, kind));
  return charts;
}

}  // namespace gable::charts
