#include "plots/html/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/lists.hpp"
#include "base/words.hpp"

namespace gable::html {

using charts::Axis;
using charts::Chart;
using charts::Datum;
using charts::Mark;
using charts::Series;

namespace {

std::string number_text(double value) {
  return std::abs(value) >= 1000 && std::abs(value) < 1e6 ? fmt::format("{:.0f}", value)
                                                          : fmt::format("{:.4g}", value);
}

// Writes a value as the axis does, where it has a tick for it.
std::string value_text(const Axis& axis, double value) {
  if (!axis.ticks) return number_text(value);
  for (const charts::Tick& tick : *axis.ticks)
    if (tick.at == value && !tick.text.empty()) return tick.text;
  return axis.is_bytes && value >= 0 ? bytes_text(static_cast<std::uint64_t>(value)) : number_text(value);
}

// Bars stand beside each other at their tick: the nearest one is meant.
std::string bar_text(const Axis& axis, double value) {
  if (!axis.ticks) return {};
  const charts::Tick* nearest = nullptr;
  for (const charts::Tick& tick : *axis.ticks) {
    if (std::abs(tick.at - value) < 0.5 &&
        (nearest == nullptr || std::abs(tick.at - value) < std::abs(nearest->at - value)))
      nearest = &tick;
  }
  return nearest == nullptr ? "" : nearest->text;
}

// Axes of panels that are not the first of their row or column have no title: that of another panel holds.
charts::AxisTitle title_of(const DrawnSeries& drawn, Axis charts::Panel::*axis) {
  if (const charts::AxisTitle& own = (drawn.panel->*axis).title; !own.empty()) return own;
  for (const charts::Panel& panel : drawn.chart->panels) {
    if (const charts::AxisTitle& other = (panel.*axis).title; !other.empty()) return other;
  }
  return {};
}

}  // namespace

std::vector<DrawnSeries> drawn_series(const Chart& chart) {
  std::vector<DrawnSeries> all;
  for (const charts::Panel& panel : chart.panels) {
    const std::size_t before = all.size();
    for (const Series& series : panel.series) {
      if (series.is_drawn()) all.push_back({&chart, &panel, &series});
    }
    static const Series nothing;  // that an empty panel is drawn with
    if (all.size() == before) all.push_back({&chart, &panel, &nothing});
  }
  return all;
}

std::vector<std::string> groups_of(const Chart& chart) {
  std::vector<std::string> groups;
  for (const DrawnSeries& drawn : drawn_series(chart)) {
    const std::string& name = drawn.series->group_name();
    if (!name.empty()) add_once(groups, name);
  }
  return groups;
}

std::string group_word(const std::vector<std::string>& groups, const std::string& group) {
  const auto found = std::ranges::find(groups, group);
  return found == groups.end() ? "" : fmt::format("s{}", found - groups.begin());
}

// "bandwidth 12.3 GB/s"
std::string with_quantity(const charts::AxisTitle& title, const std::string& value) {
  return fmt::format("{}{}{}{}{}", title.quantity, title.empty() ? "" : " ", value,
                     title.unit.empty() ? "" : " ", title.unit);
}

std::string figures_of(const DrawnSeries& drawn, const Datum& datum) {
  const bool is_bar = drawn.series->mark == Mark::bars;
  const charts::AxisTitle x = title_of(drawn, &charts::Panel::x), y = title_of(drawn, &charts::Panel::y);
  const std::string place = is_bar ? bar_text(drawn.panel->x, datum.x) : value_text(drawn.panel->x, datum.x);
  std::string text = drawn.panel->title.empty() ? "" : drawn.panel->title + "; ";
  if (!place.empty()) text += with_quantity(x, place) + ", ";
  text += with_quantity(y, value_text(drawn.panel->y, datum.y));
  if (std::isfinite(datum.lo) && std::isfinite(datum.hi) && datum.lo < datum.hi)
    text += fmt::format(" (interval {} to {})", number_text(datum.lo), number_text(datum.hi));
  return text;
}

bool has_own_marks(const Series& series) {
  const bool separate = series.mark == Mark::points || series.mark == Mark::bars;
  return separate && !series.name.empty() && (series.data.size() > 1 || series.detail.empty());
}

bool can_be_hidden(const Chart& chart) {
  return groups_of(chart).size() > 1 &&
         std::ranges::any_of(drawn_series(chart), [](const DrawnSeries& drawn) {
           return !drawn.series->name.empty() && drawn.series->mark != Mark::cells &&
                  drawn.series->mark != Mark::bars_across;
         });
}

}  // namespace gable::html
