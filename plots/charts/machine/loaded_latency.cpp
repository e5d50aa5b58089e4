// Latency of dependent loads under increasing load, one curve for each memory node.

#include <fmt/format.h>

#include <algorithm>

#include "model/records/names.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/machine/curves.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;

namespace {

double load_of(const Roof& roof) {
  return roof.load_gb_per_s;
}

}  // namespace

Chart loaded_latency_chart(const Recorded& recorded, int cluster) {
  const std::string name = fmt::format("loaded-latency-{}", cluster);
  const auto measured = select(recorded.roofs.roofs, cluster, model::Kind::loaded_latency);
  auto curves = curves_of(recorded, measured);
  if (curves.empty())
    return omitted_chart(
        name, measured.empty() ? "no loaded latency was measured" : sentence(measured.front().reason));
  double most_ns = 0, most_load = 1;
  for (Curve& curve : curves) {
    // More requested load can reach less bandwidth, so the curve may turn back.
    std::ranges::stable_sort(curve.points, {}, [](const Roof& roof) { return roof.spec.load_percent; });
    const Roof& first = curve.points.front();
    if (first.spec.load_percent == 0)  // the name stands beside the other end
      curve.name += fmt::format(": idle {}, loaded {} ns", three_digits(first.value),
                                three_digits(curve.points.back().value));
    for (const Roof& point : curve.points) {
      most_ns = std::max(most_ns, point.hi);
      most_load = std::max(most_load, point.load_gb_per_s);
    }
  }
  Chart chart;
  chart.name = name;
  set_titles(chart, recorded, "Loaded latency", cluster, conditions_text({curves.front().points.front()}));
  chart.table = curve_table();
  add_rows(chart.table, curves, 0);
  Panel panel;
  panel.area = {80, 84, 680, std::max(460.0, line_height * static_cast<double>(curves.size() + 2))};
  if (chart.column) panel.area = {62, 84, column_page - 72, 220};
  panel.x = {{"load", "GB/s"}, 0, most_load * 1.04};
  panel.y = {{"latency", "ns"}, 0, most_ns * 1.12};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Roof& first = curves[i].points.front();
    if (first.spec.load_percent != 0) continue;
    Style style = series_style(i);
    style.width = 0.8;
    style.dash = {6, 5};
    panel.series.push_back(
        {"", Mark::line, style, {{0, first.value}, {panel.x.to, first.value}}, 1, "", curves[i].name});
  }
  add_curves(chart, panel, curves, load_of, 0, true);
  chart.width = chart.column ? column_page : panel.area.left + panel.area.width + name_column(curves);
  chart.height = panel.area.top + panel.area.height + axis_room;
  chart.panels.push_back(std::move(panel));
  if (chart.column) add_legend_below(chart);
  chart.note = interval_note("Error bars", measured, false) + " Dashed: idle latency.";
  return chart;
}

}  // namespace gable::charts
