// Idle latency by level and node: one bar for each.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/sorting.hpp"
#include "model/records/names.hpp"
#include "model/roofs/interval.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/machine/curves.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

using model::IntervalForm;
using model::Roof;
using model::Status;

// Orders levels from the inside out, and local before remote.
auto order_of(const Roof& roof) {
  const model::Case& spec = roof.spec;
  return std::tuple(spec.level, spec.pattern, spec.node, spec.pages);
}

std::string bar_text(const Roof& bar) {
  return bar.status == Status::ok ? three_digits(bar.value) + " ns" + interval_text(bar)
                                  : std::string(model::name_of(bar.status));
}

double load_of(const Roof& roof) {
  return roof.load_gb_per_s;
}

bool has_drawn_interval(const Roof& roof) {
  const IntervalForm form = model::interval_form(roof);
  return form == IntervalForm::percent || form == IntervalForm::ends;
}

// The end of an axis that shows all values, and their intervals up to twice the largest value.
double reach_of(const std::vector<Roof>& roofs) {
  constexpr double widest = 2;
  double most = 0, reach = 0;
  for (const Roof& roof : roofs) {
    most = std::max(most, roof.value);
    reach = std::max(reach, has_drawn_interval(roof) ? roof.hi : roof.value);
  }
  return std::min(reach, widest * most);
}

}  // namespace

Chart latency_chart(const Recorded& recorded, int cluster) {
  const std::string name = fmt::format("latency-{}", cluster);
  std::vector<Roof> bars;
  for (const Roof& roof : recorded.roofs.roofs) {
    if (roof.spec.kind == model::Kind::latency && roof.spec.cluster == cluster &&
        !recorded.hides(name_of(roof.spec, model::Style::curve)))
      bars.push_back(roof);
  }
  sort_by(bars, order_of);
  const double most = reach_of(bars);
  if (most == 0) {
    return omitted_chart(
        name, bars.empty() ? "no idle latency was measured" : "no idle latency is valid; see `gable fit`");
  }
  Chart chart;
  chart.name = name;
  chart.table = roof_table({"place", "name", "text"});
  Panel panel;
  panel.x = {{"latency of a dependent load", "ns"}, 0, most * 1.3};  // space for the values at the bars' ends
  const auto count = static_cast<double>(bars.size());
  panel.y = {"", count + 0.6, 0.4, Scale::linear, std::vector<Tick>()};
  panel.y.grid = Grid::none;
  double widest = 0;
  for (const Roof& bar : bars) widest = std::max(widest, text_width(name_of(bar.spec, model::Style::curve)));
  panel.area = {widest + 30, 84, 676, 26 * count};
  if (recorded.column) panel.area = {16, 84, column_page - 32, 36 * count};  // names above their bars
  double place = 0;
  for (const Roof& bar : bars) {
    ++place;
    const std::string bar_name = name_of(bar.spec, model::Style::curve);
    chart.table.add_row();
    set_roof(chart.table, bar);
    chart.table.set("place", place);
    chart.table.set("name", bar_name);
    chart.table.set("text", bar_text(bar));
    panel.y.ticks->push_back({place, recorded.column ? "" : bar_name});
    if (recorded.column) chart.labels.push_back({bar_name, panel.area.left + 4, panel.page_y(place - 0.3)});
    const double at = recorded.column ? place + 0.2 : place, height = recorded.column ? 0.42 : 0.72;
    const bool ok = bar.status == Status::ok;
    double end = ok ? bar.value : 0;
    if (ok) {
      panel.series.push_back(
          {bar_name, Mark::bars_across, roof_style(bar.spec), {{bar.value, at}}, height, roof_detail(bar)});
      const Style stroke{0x000000, 1.4};
      if (has_drawn_interval(bar)) {
        end = std::min(bar.hi, most);
        panel.series.push_back({"", Mark::intervals_across, stroke, {{bar.value, at, bar.lo, end}}});
      }
    }
    chart.labels.push_back({bar_text(bar), panel.page_x(end) + 8, panel.page_y(at)});
  }
  fit_page(chart, panel.area, recorded.column ? 16 : 24);
  chart.panels.push_back(std::move(panel));
  const std::string sources = sources_text(bars);
  set_titles(chart, recorded, "Idle latency", cluster,
             sources.empty() ? "1 thread, dependent loads" : "dependent loads; " + sources);
  chart.note = interval_note("", bars, true) + remark_note(recorded, bars, chart.name);
  return chart;
}

Chart loaded_latency_chart(const Recorded& recorded, int cluster) {
  const std::string name = fmt::format("loaded-latency-{}", cluster);
  const auto measured = select(recorded.roofs.roofs, cluster, model::Kind::loaded_latency);
  auto curves = curves_of(recorded, measured);
  if (curves.empty())
    return omitted_chart(
        name, measured.empty() ? "no loaded latency was measured" : sentence(measured.front().reason));
  std::vector<Roof> drawn;
  for (Curve& curve : curves) {
    // More requested load can reach less bandwidth, so the curve may turn back.
    sort_by(curve.points, [](const Roof& roof) { return roof.spec.load_percent; });
    const Roof& first = curve.points.front();
    if (first.spec.load_percent == 0)  // the name stands beside the other end
      curve.name += fmt::format(": idle {}, loaded {} ns", three_digits(first.value),
                                three_digits(curve.points.back().value));
    std::ranges::copy(curve.points, std::back_inserter(drawn));
  }
  const double most_load = std::max(1.0, load_of(std::ranges::max(drawn, {}, load_of)));
  Chart chart;
  chart.name = name;
  set_titles(chart, recorded, "Loaded latency", cluster, conditions_text({curves.front().points.front()}));
  chart.table = curve_table();
  add_rows(chart.table, curves, 0);
  Panel panel;
  panel.area = {80, 84, 680, std::max(460.0, line_height * static_cast<double>(curves.size() + 2))};
  if (chart.column) panel.area = {62, 84, column_page - 72, 220};
  panel.x = {{"load", "GB/s"}, 0, most_load * 1.04};
  panel.y = {{"latency", "ns"}, 0, reach_of(drawn) * 1.12};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Roof& first = curves[i].points.front();
    if (first.spec.load_percent != 0) continue;
    Style style = series_style(i);
    style.width = 0.8;
    style.dash = {6, 5};
    panel.series.push_back(
        part_of(curves[i].name, Mark::line, style, {{0, first.value}, {panel.x.to, first.value}}));
  }
  add_curves(chart, panel, curves, load_of, 0, true);
  fit_page(chart, panel.area, chart.column ? 10 : name_column(curves));
  chart.panels.push_back(std::move(panel));
  if (chart.column) add_legend_below(chart);
  chart.note = interval_note("Error bars", measured, false) + " Dashed: idle latency.";
  return chart;
}

}  // namespace gable::charts
