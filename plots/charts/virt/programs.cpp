#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/records/names.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/virt/charts.hpp"

namespace gable::charts {
namespace {

using model::VirtFigure;

// "GUPS", and below it the pages.
std::string short_name(const model::VirtCase& spec) {
  const std::string what(measure_of(spec).words);
  return spec.pages == model::VirtPages::none
             ? what
             : fmt::format("{} {}", what, spec.pages == model::VirtPages::small ? "4 KiB" : "huge");
}

// Rate over the first one's, with the interval that the tables of gable compare have.
Datum relative(double at, const VirtFigure& first, const VirtFigure& other, const VirtSide& side) {
  Datum datum{at, 100 * other.estimate.value / first.estimate.value};
  const auto change = side.changes.find(key(first.spec));
  if (change == side.changes.end() || !change->second.not_judged.empty()) return datum;
  datum.lo = 100 * (1 + change->second.lo);
  datum.hi = 100 * (1 + change->second.hi);
  return datum;
}

}  // namespace

Chart virt_programs_chart(const std::vector<VirtSide>& sides) {
  Chart chart;
  chart.name = "virt-programs";
  std::vector<const VirtFigure*> programs;
  for (const VirtFigure& figure : sides.front().summary->figures) {
    if (figure.spec.kind == model::VirtKind::program) programs.push_back(&figure);
  }
  if (programs.empty()) return omitted_chart(chart.name, "no program was measured in the first environment");
  chart.title = "Performance of the programs, relative to " + sides.front().name;
  chart.subtitle = "one core; higher is better";
  chart.table = Table({"program", "environment", "percent", "lo", "hi"});
  constexpr double group = 132, widest = 2;  // no interval further than twice the highest bar
  Panel panel;
  panel.area = {84, 84, std::max(420.0, group * static_cast<double>(programs.size())), 320};
  panel.x = places_axis(static_cast<double>(programs.size()));
  const double breadth = 0.8 / static_cast<double>(sides.size());
  double most = 100, reach = 100;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const Style style = filled(series_style(s), s);
    Series bars{sides[s].name, Mark::bars, style, {}, breadth * 0.92},
        intervals{sides[s].name, Mark::intervals, Style{}, {}};
    intervals.style.width = 1.4;
    for (std::size_t p = 0; p < programs.size(); ++p) {
      const model::VirtCase& spec = programs[p]->spec;
      const VirtFigure* const other = sides[s].summary->figure(spec.kind, spec.what, spec.pages);
      if (other == nullptr || other->spec.bytes != spec.bytes) continue;  // the table says so
      const double at = static_cast<double>(p) + (static_cast<double>(s) + 0.5) * breadth - 0.4;
      const Datum datum = relative(at, *programs[p], *other, sides[s]);
      bars.data.push_back(datum);
      if (!std::isnan(datum.hi)) intervals.data.push_back(datum);
      most = std::max(most, datum.y);
      reach = std::max(reach, std::isnan(datum.hi) ? datum.y : datum.hi);
      chart.table.add(name_of(spec), sides[s].name, datum.y, datum.lo, datum.hi);
    }
    chart.legend.push_back({sides[s].name, Mark::bars, style});
    panel.series.push_back(std::move(bars));
    if (intervals.data.empty()) continue;
    panel.series.push_back(std::move(intervals));
    chart.note = "Error bars: 95 % intervals of the ratios.";
  }
  for (std::size_t p = 0; p < programs.size(); ++p)
    panel.x.ticks->push_back({static_cast<double>(p), short_name(programs[p]->spec)});
  panel.y = {{"performance", "%"}, 0, std::min(reach, widest * most) * 1.08};
  fit_page(chart, panel.area, 30);
  if (reach > widest * most) chart.note += " Some end beyond the frame: measure more rounds.";
  chart.panels.push_back(std::move(panel));
  add_legend_below(chart);
  make_room_for_texts(chart);
  return chart;
}

}  // namespace gable::charts
