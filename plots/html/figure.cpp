#include "plots/html/figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/words.hpp"
#include "plots/html/colours.hpp"
#include "plots/html/escape.hpp"
#include "plots/html/marks.hpp"
#include "plots/html/picture.hpp"
#include "plots/html/tables.hpp"

namespace gable::html {

using charts::Chart;
using charts::Mark;

namespace {

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

}  // namespace

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
