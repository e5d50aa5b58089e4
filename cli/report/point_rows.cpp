#include "cli/report/point_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/fit/figure_text.hpp"
#include "cli/text/columns.hpp"
#include "model/points/headroom.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

using model::Point;
using model::Reading;

std::string seconds_cell(const Point& point) {
  const std::string interval = interval_text(point.seconds, point.seconds_lo, point.seconds_hi);
  if (interval.empty()) return number(point.seconds);
  return number(point.seconds) + (interval.ends_with('%') ? " ±" + interval : " (" + interval + ")");
}

html::Row point_row(const Point& point, const Reading& reading) {
  const bool finite = std::isfinite(reading.flop_per_byte);
  const bool bound = !reading.roof.empty();
  return {point.name,
          point.cluster < 0 ? "all" : std::to_string(point.cluster),
          seconds_cell(point),
          point.flops > 0 && finite ? number(reading.flop_per_byte) : "",
          point.flops > 0 ? number(reading.gflop_per_s) : "",
          finite ? number(reading.gb_per_s) : "",
          reading.roof,
          bound ? fmt::format("{:.0f} %", reading.reached_percent) : "",
          bound ? model::headroom_text(reading) : "",
          reading.cause};
}

}  // namespace

std::string points_html(const ReportContent& content) {
  const ShownFolder& shown = content.shown;
  if (shown.points.empty())
    return absent_html(content, "No program is on the chart.", "gable point run DIR -- ./program");
  html::TableText table{
      "Programs under the roofs",
      {"program", "cluster", "seconds", "flop/byte", "GFlop/s", "GB/s", "roof", "reached", "headroom", "why"},
      {}};
  for (std::size_t i = 0; i < shown.points.size(); ++i)
    table.rows.push_back(point_row(shown.points[i], shown.readings.at(i)));
  return html::table_html(table);
}

}  // namespace gable::cli
