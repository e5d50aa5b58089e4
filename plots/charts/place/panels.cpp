// The panels of the placement charts: table, axes and positions.

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/tiers/advice.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/place/panels.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {

using model::Placed;
using model::Status;

namespace {

constexpr double million = 1e6;

}  // namespace

std::string team_text(int threads, bool smt) {
  return fmt::format("{}, one per {}", count_text(threads, "thread"), smt ? "hardware thread" : "core");
}

PlacePanels::PlacePanels(const std::vector<Placed>& records)
    : letters_(model::tier_letters(records)),
      table_({"panel", "title", "graph", "variant", "cluster", "threads", "smt", "placement", "series", "x",
              "mteps", "lo", "hi", "n", "status", "reason", "source"}) {
  codes_ = distinct(records, [&](const Placed& record) { return model::placement_code(record, letters_); });
}

void PlacePanels::add(const std::string& title, int row, const std::vector<Placed>& records,
                      PlaceAt (*at)(const Placed&)) {
  add(title, row, records, each_of(records, at));
}

void PlacePanels::add(const std::string& title, int row, const std::vector<Placed>& records,
                      const std::vector<PlaceAt>& at) {
  std::vector<std::size_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  sort_by(order, [&](std::size_t i) { return at[i].x; });
  Of panel{title, row, {}};
  for (const std::size_t i : order) {
    const Placed& record = records[i];
    const std::string code = model::placement_code(record, letters_);
    const bool ok = record.status == Status::ok;
    const model::Estimate teps = ok ? model::teps(record) : model::Estimate{NAN, NAN, NAN, 0};
    const Datum datum{at[i].x, teps.value / million, teps.lo / million, teps.hi / million};
    const auto series = static_cast<std::size_t>(std::ranges::find(codes_, code) - codes_.begin());
    table_.add(count(), title, record.graph, record.variant, record.cluster, record.threads,
               record.smt ? "yes" : "no", code, series, datum.x, datum.y, datum.lo, datum.hi,
               ok ? static_cast<double>(teps.n) : NAN, model::name_of(record.status), sentence(record.reason),
               record.source);
    if (!record.source.empty()) ++published_;
    ++shown_;
    tics_[at[i].x] = at[i].text;
    if (!ok) {
      ++missing_;
      continue;
    }
    // The interval of two or three runs may be wider than the chart: its bar then ends at the frame.
    const double shown = std::min(teps.hi, 1.5 * teps.value);
    beyond_ = beyond_ || teps.hi > shown;
    most_[row] = std::max(most_[row], shown / million);
    panel.series[series].push_back(datum);
  }
  panels_.push_back(std::move(panel));
}

std::string PlacePanels::note() const {
  std::string text = "Graph and temporary data in: ";
  bool first = true;
  for (const auto& [tier, letter] : letters_) {
    text += fmt::format("{}{} = {}", first ? "" : ", ", letter, tier);
    first = false;
  }
  text += ".";
  if (published_ < shown_) {
    text += " Bars: 95 % confidence intervals";
    text += beyond_ ? "; a bar that reaches the frame extends beyond it." : ".";
  }
  if (published_ > 0)
    text += published_ < shown_ ? " Published figures have no interval."
                                : " Published figures, without intervals.";
  if (missing_ > 0) text += fmt::format(" Not drawn: {} skipped or invalid, reasons in the table.", missing_);
  return text;
}

Axis PlacePanels::x_axis(const std::string& title, bool bars, bool log_x) const {
  const double least = tics_.begin()->first, most = tics_.rbegin()->first;
  Axis axis{title, 0, most * 1.06, log_x ? Scale::log2 : Scale::linear, std::vector<Tick>()};
  if (bars) axis.from = -0.5, axis.to = most + 0.5;
  if (log_x) axis.from = least / 1.2, axis.to = most * 1.2;
  if (bars) axis.grid = Grid::none;
  for (const auto& [x, text] : tics_)
    axis.ticks->push_back({x, text.empty() ? fmt::format("{:g}", x) : text});
  return axis;
}

void PlacePanels::add_series(Panel& panel, const Of& of, bool bars) const {
  const double breadth = 0.8 / static_cast<double>(codes_.size());
  double place = -0.5 * breadth * static_cast<double>(of.series.size());  // of the panel's first bar
  for (const auto& [number, data] : of.series) {
    const Style style = bars ? filled(series_style(number), number) : series_style(number);
    if (bars) {
      Series series{codes_[number], Mark::bars, style, data, breadth * 0.92};
      for (Datum& datum : series.data) datum.x += place + 0.5 * breadth;
      place += breadth;
      Series strokes = part_of(codes_[number], Mark::intervals, Style{ink, 1.6}, series.data);
      panel.series.push_back(std::move(series));
      panel.series.push_back(std::move(strokes));
      continue;
    }
    Style thin = style;
    thin.size = 0.8;
    thin.width = 1.6;
    add_curve(panel, codes_[number], data, style, thin, thin);
  }
}

void PlacePanels::finish(Chart& chart, const std::string& x_label, int columns, bool bars, bool log_x) {
  chart.note = note();
  chart.table = std::move(table_);
  PanelGrid grid{92, 112, 340, 270, 84, 84, std::min(columns, count())};
  if (bars) {
    double group = 0;  // width of the bars of one graph, or of their name
    for (const auto& [unused, text] : tics_)
      group = std::max({group, text_width(text) + 14, 16 * static_cast<double>(codes_.size()) + 20});
    grid.width = std::max(300.0, group * static_cast<double>(tics_.size()));
  }
  if (chart.column) grid.fit_column(column_page);
  for (std::size_t i = 0; i < codes_.size(); ++i)
    chart.legend.push_back({codes_[i], bars ? Mark::bars : Mark::line,
                            bars ? filled(series_style(i), i) : series_style(i), !bars});
  lay_out_grid(chart, grid, count(), {grid.left, 76, 500});
  for (int i = 0; i < count(); ++i) {
    const Of& of = panels_[static_cast<std::size_t>(i)];
    Panel panel;
    panel.area = grid.area(i);
    panel.title = of.title;
    panel.x = x_axis(x_label, bars, log_x);
    const double most = most_[of.row];
    panel.y = {grid.is_first_column(i) ? "million traversed edges per second" : "", 0,
               most > 0 ? 1.08 * most : 1};
    add_series(panel, of, bars);
    chart.panels.push_back(std::move(panel));
  }
}

}  // namespace gable::charts
