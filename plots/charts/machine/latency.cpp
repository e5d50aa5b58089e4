// Idle latency by level and node: one bar for each.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "model/json/case.hpp"
#include "model/records/names.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

namespace {

// Orders levels from the inside out, and local before remote.
auto order_of(const Roof& roof) {
  const model::Case& spec = roof.spec;
  return std::tuple(spec.level, spec.pattern, spec.node, spec.pages);
}

std::string bar_text(const Roof& bar) {
  return bar.status == Status::ok ? three_digits(bar.value) + " ns" + interval_text(bar)
                                  : std::string(model::name_of(bar.status));
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
  std::ranges::stable_sort(bars, [](const Roof& a, const Roof& b) { return order_of(a) < order_of(b); });
  double most = 0;
  for (const Roof& bar : bars) most = std::max(most, bar.hi);
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
    chart.table.add_row();
    set_roof(chart.table, bar);
    chart.table.set("place", place);
    chart.table.set("name", name_of(bar.spec, model::Style::curve));
    chart.table.set("text", bar_text(bar));
    panel.y.ticks->push_back({place, recorded.column ? "" : name_of(bar.spec, model::Style::curve)});
    if (recorded.column)
      chart.labels.push_back(
          {name_of(bar.spec, model::Style::curve), panel.area.left + 4, panel.page_y(place - 0.3)});
    const double at = recorded.column ? place + 0.2 : place, height = recorded.column ? 0.42 : 0.72;
    const bool ok = bar.status == Status::ok;
    if (ok) {
      Style style = roof_style(bar.spec);
      panel.series.push_back({name_of(bar.spec, model::Style::curve),
                              Mark::bars_across,
                              style,
                              {{bar.value, at}},
                              height,
                              roof_detail(bar)});
      if (bar.lo < bar.hi) {
        Style stroke{0x000000, 1.4};
        panel.series.push_back({"", Mark::intervals_across, stroke, {{bar.value, at, bar.lo, bar.hi}}});
      }
    }
    chart.labels.push_back({bar_text(bar), panel.page_x(ok ? bar.hi : 0) + 8, panel.page_y(at)});
  }
  chart.width = panel.area.left + panel.area.width + (recorded.column ? 16 : 24);
  chart.height = panel.area.top + panel.area.height + axis_room;
  chart.panels.push_back(std::move(panel));
  const std::string sources = sources_text(bars);
  set_titles(chart, recorded, "Idle latency", cluster,
             sources.empty() ? "1 thread, dependent loads" : "dependent loads; " + sources);
  chart.note = interval_note("", bars, true) + remark_note(recorded, bars, chart.name);
  return chart;
}

}  // namespace gable::charts
