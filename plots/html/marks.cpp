#include "plots/html/marks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "plots/html/tables.hpp"

namespace gable::html {

namespace {

using charts::Axis;
using charts::Chart;
using charts::Datum;
using charts::Mark;
using charts::Series;

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

// A short stroke or a square that looks as the group does.
std::string sample_html(const charts::Series& series, std::set<charts::Colour>& colours) {
  const charts::Style& style = series.style;
  const std::string colour = fmt::format("var({})", variable_of(style.colour));
  colours.insert(style.colour);
  const bool is_line = series.mark == Mark::line;
  std::string shape = fmt::format("<rect x=\"8\" y=\"1\" width=\"10\" height=\"10\" fill=\"{}\"/>", colour);
  if (is_line)
    shape = fmt::format(
        "<line x1=\"0\" y1=\"6\" x2=\"26\" y2=\"6\" stroke=\"{}\" stroke-width=\"{:g}\" "
        "stroke-dasharray=\"{}\"/>",
        colour, std::max(style.width, 1.5), fmt::join(style.dash, ","));
  return fmt::format("<svg width=\"26\" height=\"12\" aria-hidden=\"true\">{}</svg>", shape);
}

std::string switches_html(const Chart& chart, std::set<charts::Colour>& colours) {
  const std::vector<std::string> groups = groups_of(chart);
  const std::vector<DrawnSeries> all = drawn_series(chart);
  std::string out;
  for (const std::string& group : groups) {
    const DrawnSeries* shown = nullptr;
    for (const DrawnSeries& drawn : all) {
      const bool better = shown == nullptr || (shown->series->name.empty() && !drawn.series->name.empty());
      if (drawn.series->group_name() == group && better) shown = &drawn;
    }
    out += fmt::format("<label><input type=\"checkbox\" checked data-switch=\"{}\">{}{}</label>\n",
                       group_word(groups, group), sample_html(*shown->series, colours), escaped(group));
  }
  const std::string summary = fmt::format("Show or hide ({})", groups.size());
  return details_html(summary,
                      "<fieldset class=\"switches\"><legend>Shown in the chart</legend>"
                      "<button type=\"button\" data-all=\"on\">All</button>"
                      "<button type=\"button\" data-all=\"off\">None</button>\n" +
                          out + "</fieldset>");
}

// Whether it makes sense to hide groups of the chart: not where each mark is one cell of a matrix.
bool can_be_hidden(const Chart& chart) {
  return groups_of(chart).size() > 1 &&
         std::ranges::any_of(drawn_series(chart), [](const DrawnSeries& drawn) {
           return !drawn.series->name.empty() && drawn.series->mark != Mark::cells &&
                  drawn.series->mark != Mark::bars_across;
         });
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

std::string figure_html(const Chart& chart, const std::string& svg, std::set<charts::Colour>& colours) {
  const std::string id = "chart-" + id_of(chart.name);
  std::string out = fmt::format("<figure class=\"chart\" id=\"{0}\" aria-labelledby=\"{0}-title\">\n", id);
  out += fmt::format("<figcaption><h3 id=\"{}-title\">{}</h3>{}</figcaption>\n", id, escaped(chart.title),
                     paragraph(chart.subtitle));
  const Picture picture = svg.empty() ? Picture() : picture_of(chart, svg, id + "-");
  if (!picture.svg.empty()) {
    colours.insert(picture.colours.begin(), picture.colours.end());
    out += "<div class=\"scroll canvas\" tabindex=\"0\" role=\"region\" aria-label=\"picture\">" +
           picture.svg + "</div>\n";
    if (picture.has_marks && can_be_hidden(chart)) out += switches_html(chart, colours);
  }
  out += paragraph(chart.note, "note");
  const Table table = readable(chart.table);
  const std::string summary = "Table: " + count_text(static_cast<std::int64_t>(table.rows.size()), "row");
  if (!table.rows.empty()) out += details_html(summary, table_html(table), picture.svg.empty());
  return out + "</figure>\n";
}

}  // namespace gable::html
