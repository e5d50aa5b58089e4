#include "plots/charts/chart.hpp"

#include <iterator>

namespace gable::charts {

namespace {

constexpr double note_scale = 10.0 / 12;  // size of the note's letters relative to those of text_width
constexpr double sample_width = 30, entry_gap = 14;
constexpr double column_margin = 8;

double scaled(Scale scale, double value) {
  return scale == Scale::linear ? value : std::log2(value);
}

// Lays out as many columns of one width as there is room for, and fills each from above.
int lay_out_columns(std::vector<LegendEntry>& entries, double left, double top, double width) {
  double widest = 1;
  for (const LegendEntry& entry : entries)
    widest = std::max(widest, sample_width + 0.95 * text_width(entry.text) + 6);
  const int count = static_cast<int>(entries.size());
  const int columns = std::clamp(static_cast<int>(width / widest), 1, std::max(count, 1));
  const int rows = std::max((count + columns - 1) / columns, 1);
  for (int i = 0; i < count; ++i) {
    LegendEntry& entry = entries[static_cast<std::size_t>(i)];
    entry.x = left + i / rows * width / columns;
    entry.y = top + i % rows * legend_row;
  }
  return rows;
}

}  // namespace

bool Series::is_drawn() const {
  const auto any = [&](auto condition) { return std::ranges::any_of(data, condition); };
  switch (mark) {
    case Mark::line:
      return any([](const Datum& datum) { return !std::isnan(datum.y); });
    case Mark::intervals:
    case Mark::intervals_across:
      return any([](const Datum& datum) { return std::isfinite(datum.lo) && std::isfinite(datum.hi); });
    case Mark::arrow:
      return data.size() > 1;
    default:
      return !data.empty();
  }
}

double Axis::share_of(double value) const {
  const double begin = scaled(scale, from), end = scaled(scale, to);
  return (scaled(scale, value) - begin) / (end - begin);
}

double Axis::value_at(double share) const {
  const double begin = scaled(scale, from), end = scaled(scale, to);
  const double value = begin + share * (end - begin);
  return scale == Scale::linear ? value : std::exp2(value);
}

double Panel::page_x(double x_value) const {
  return area.left + x.share_of(x_value) * area.width;
}

double Panel::page_y(double y_value) const {
  return area.top + (1 - y.share_of(y_value)) * area.height;
}

double text_width(const std::string& utf8) {
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; };
  return 6.8 * static_cast<double>(utf8.size() - static_cast<std::size_t>(
                                                     std::count_if(utf8.begin(), utf8.end(), continues)));
}

int lay_out_legend(Chart& chart, double left, double top, double width) {
  if (chart.column) return lay_out_columns(chart.legend, column_margin, top, column_page - 2 * column_margin);
  double x = left;
  int row = 0;
  for (LegendEntry& entry : chart.legend) {
    const double needed = sample_width + text_width(entry.text) + entry_gap;
    if (x > left && x + needed > left + width) {
      x = left;
      ++row;
    }
    entry.x = x;
    entry.y = top + row * legend_row;
    x += needed;
  }
  return row + 1;
}

void add_legend_below(Chart& chart) {
  const int rows = lay_out_legend(chart, page_margin, chart.height + 10, chart.width - 2 * page_margin);
  chart.height += rows * legend_row + 4;
}

void add_to_legend_below(Chart& chart, std::vector<LegendEntry> entries) {
  if (entries.empty()) return;
  const double left = chart.column ? column_margin : page_margin;
  const int rows = lay_out_columns(entries, left, chart.height + 10, chart.width - 2 * left);
  chart.height += rows * legend_row + 4;
  std::ranges::move(entries, std::back_inserter(chart.legend));
}

double page_top(const Chart& chart) {
  if (!chart.column) return 0;
  double top = chart.height;
  for (const Panel& panel : chart.panels)
    top = std::min(top, panel.area.top - (panel.title.empty() && !panel.x_on_top ? 8 : 26));
  for (const LegendEntry& entry : chart.legend) top = std::min(top, entry.y - legend_row / 2);
  for (const Label& label : chart.labels) top = std::min(top, label.y - line_height / 2);
  return top;
}

void make_room_for_texts(Chart& chart) {
  if (chart.column) return;
  const double margins = 2 * page_margin + 8;
  double needed = std::max(text_width(chart.subtitle), 1.4 * text_width(chart.title)) + margins;
  needed = std::max(needed, 0.36 * note_scale * text_width(chart.note) + 2 * margins);
  for (const LegendEntry& entry : chart.legend)
    needed = std::max(needed, entry.x + sample_width + text_width(entry.text) + entry_gap);
  chart.width = std::max(chart.width, needed);
}

std::vector<std::string> note_lines(const Chart& chart) {
  const double room = chart.width - 2 * page_margin;
  std::vector<std::string> lines;
  std::string rest = chart.note;
  while (!rest.empty()) {
    std::size_t cut = rest.size();
    while (note_scale * text_width(rest.substr(0, cut)) > room) {
      const std::size_t space = rest.rfind(' ', cut - 1);
      if (space == std::string::npos || space == 0) break;
      cut = space;
    }
    lines.push_back(rest.substr(0, cut));
    rest.erase(0, cut + 1);
  }
  return lines;
}

double page_height(const Chart& chart) {
  if (chart.column) return chart.height - page_top(chart);
  const auto lines = static_cast<double>(note_lines(chart).size());
  return chart.height + (lines > 0 ? note_gap + note_line * lines + 4 : 0);
}

}  // namespace gable::charts
