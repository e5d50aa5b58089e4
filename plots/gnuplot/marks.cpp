
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "plots/charts/styles.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::gnuplot {

using charts::Axis;
using charts::Datum;
using charts::Mark;
using charts::Panel;
using charts::Series;
using charts::Style;

namespace {

constexpr double cap = 3;  // half the width of an interval's cap, in points

int point_type(charts::Symbol symbol) {
  constexpr int types[] = {7, 6, 5, 4, 9, 8, 11, 10, 13, 12, 15, 14};
  return types[static_cast<std::size_t>(symbol)];
}

// Rows of numbers, with blank lines between polygons and strokes.
class Rows {
 public:
  void add(std::initializer_list<double> numbers) {
    text_ += fmt::format("{:.9g}\n", fmt::join(numbers, " "));
  }
  void end_of_stroke() { text_ += '\n'; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

double inside(const Axis& axis, double value) {
  return std::clamp(value, std::min(axis.from, axis.to), std::max(axis.from, axis.to));
}

bool is_inside(const Axis& axis, double value) {
  return inside(axis, value) == value;
}

// The value `points` further along an axis that is `length` points long.
double moved(const Axis& axis, double value, double points, double length) {
  return axis.value_at(axis.share_of(value) + points / length);
}

void add_interval(Rows& rows, const Panel& panel, const Datum& datum, const Style& style, bool across) {
  const Axis& along = across ? panel.x : panel.y;
  const Axis& beside = across ? panel.y : panel.x;
  const double place = across ? datum.y : datum.x, length = across ? panel.area.height : panel.area.width;
  const auto add = [&](double value, double at) { across ? rows.add({value, at}) : rows.add({at, value}); };
  add(inside(along, datum.lo), place);
  add(inside(along, datum.hi), place);
  rows.end_of_stroke();
  if (!style.capped) return;
  for (const double end : {datum.lo, datum.hi}) {
    if (!is_inside(along, end)) continue;
    add(end, moved(beside, place, -cap, length));
    add(end, moved(beside, place, cap, length));
    rows.end_of_stroke();
  }
}

// What of the polygon lies on one side of a border of the panel; places are shares of the axes.
using Place = std::array<double, 2>;
std::vector<Place> cut_at(const std::vector<Place>& corners, std::size_t axis, double border, bool upper) {
  std::vector<Place> kept;
  const auto is_in = [&](const Place& at) { return upper ? at[axis] <= border : at[axis] >= border; };
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Place &from = corners[i], &to = corners[(i + 1) % corners.size()];
    if (is_in(from)) kept.push_back(from);
    if (is_in(from) == is_in(to)) continue;
    const double share = (border - from[axis]) / (to[axis] - from[axis]);
    kept.push_back({from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])});
  }
  return kept;
}

// The part of an area inside the axes: gnuplot moves corners outside of them to the nearest corner of the
// panel, which changes the edges.
std::vector<Datum> area_inside(const Panel& panel, const std::vector<Datum>& area) {
  std::vector<Place> corners;
  for (const Datum& datum : area) corners.push_back({panel.x.share_of(datum.x), panel.y.share_of(datum.y)});
  for (const std::size_t axis : {0U, 1U}) {
    corners = cut_at(corners, axis, 0, false);
    corners = cut_at(corners, axis, 1, true);
  }
  if (corners.empty() && !area.empty())  // one point stands for what is not seen
    return {{inside(panel.x, area.front().x), inside(panel.y, area.front().y)}};
  std::vector<Datum> kept;
  for (const Place& at : corners) kept.push_back({panel.x.value_at(at[0]), panel.y.value_at(at[1])});
  return kept;
}

std::string rows_of(const Panel& panel, const Series& series) {
  Rows rows;
  const double half = series.breadth / 2;
  const std::vector<Datum> data = series.mark == Mark::area ? area_inside(panel, series.data) : series.data;
  for (const Datum& datum : data) {
    const auto& [x, y, lo, hi] = datum;
    switch (series.mark) {
      case Mark::line:
        if (std::isnan(y))
          rows.end_of_stroke();
        else
          rows.add({x, y});
        break;
      case Mark::points:
      case Mark::area:
      case Mark::arrow:
        rows.add({x, y});
        break;
      case Mark::intervals:
      case Mark::intervals_across:
        if (std::isfinite(lo) && std::isfinite(hi))
          add_interval(rows, panel, datum, series.style, series.mark == Mark::intervals_across);
        break;
      case Mark::bars:
        rows.add({x, y, x - half, x + half, panel.y.from, inside(panel.y, y)});
        break;
      case Mark::bars_across:
        rows.add({x, y, panel.x.from, x, y - half, y + half});
        break;
      case Mark::band:
        rows.add({x, lo, hi});
        break;
      case Mark::cells:
        rows.add({x, y, x - half, x + half, y - half, y + half,
                  static_cast<double>(charts::mixed(0xffffff, series.style.colour, lo))});
        break;
    }
  }
  if (series.mark == Mark::area && !data.empty()) rows.add({data.front().x, data.front().y});
  return rows.take();
}

std::string clause(const Series& series, const std::string& block) {
  const Style& style = series.style;
  switch (series.mark) {
    case Mark::line:
    case Mark::intervals:
    case Mark::intervals_across:
      return fmt::format("{} using 1:2 with lines {}", block, line_look(style));
    case Mark::points:
      return fmt::format("{} using 1:2 with points {}", block, symbol_look(style));
    case Mark::bars:
    case Mark::bars_across:
      return fmt::format("{} using 1:2:3:4:5:6 with boxxyerror {}", block, fill_look(style));
    case Mark::band:
      return fmt::format("{} using 1:2:3 with filledcurves {}", block, fill_look(style));
    case Mark::area:
      return fmt::format("{} using 1:2 with filledcurves closed {}", block, fill_look(style));
    case Mark::arrow:
      return fmt::format(
          "{} using 1:2:3:4 with vectors head filled size screen 0.011,22 linewidth 2 linecolor rgb '{}'",
          block, colour_text(style.colour));
    case Mark::cells:
      if (style.hatched)
        return fmt::format("{} using 1:2:3:4:5:6 with boxxyerror {}", block, fill_look(style));
      return fmt::format(
          "{} using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder fillcolor rgb variable", block);
  }
  return {};
}

// A gnuplot vector is one row: its start, and its end relative to the start.
std::string arrow_row(const Series& series) {
  const Datum &from = series.data.front(), &to = series.data.back();
  return fmt::format("{:.9g} {:.9g} {:.9g} {:.9g}\n", from.x, from.y, to.x - from.x, to.y - from.y);
}

}  // namespace

std::string colour_text(charts::Colour colour) {
  return fmt::format("#{:06x}", colour);
}

std::string line_look(const Style& style) {
  const std::string dash = style.dash.empty() ? "solid" : fmt::format("({:g})", fmt::join(style.dash, ","));
  return fmt::format("linewidth {:g} dashtype {} linecolor rgb '{}'", style.width, dash,
                     colour_text(style.colour));
}

std::string fill_look(const Style& style) {
  if (style.hatched)
    return fmt::format("fillstyle pattern {1} border linecolor rgb '{0}' fillcolor rgb '{0}'",
                       colour_text(style.colour), style.falling ? 5 : 4);
  const std::string solid =
      style.opacity < 1 ? fmt::format("transparent solid {:g}", style.opacity) : "solid";
  return fmt::format("fillstyle {} noborder fillcolor rgb '{}'", solid, colour_text(style.colour));
}

std::string symbol_look(const Style& style) {
  return fmt::format("pointtype {} pointsize {:g} linewidth {:g} linecolor rgb '{}'",
                     point_type(style.symbol), style.size, std::min(style.width, 1.4),
                     colour_text(style.colour));
}

std::string plot_command(const Panel& panel, std::string& data) {
  static constexpr const char* nothing = "plot NaN notitle\n";
  std::string command;
  for (const Series& series : panel.series) {
    if (!series.is_drawn()) continue;
    const std::string rows = series.mark == Mark::arrow ? arrow_row(series) : rows_of(panel, series);
    const auto number = std::count(data.begin(), data.end(), '$');
    const std::string block = fmt::format("$data{}", number);
    fmt::format_to(std::back_inserter(data), "{} << END\n{}END\n", block, rows);
    fmt::format_to(std::back_inserter(command), "{}{} {}", command.empty() ? "plot " : ", \\\n     ",
                   clause(series, block), series.name.empty() ? "notitle" : "title " + quoted(series.name));
  }
  return command.empty() ? nothing : command + "\n";
}

}  // namespace gable::gnuplot
