#include "plots/charts/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/domain/status.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {
namespace {

using model::Forecast;

constexpr const char* other_bounds = "others";
constexpr double row_of_bar = 44, half_a_bar = 0.32, behind_interval = 8;
constexpr std::size_t longest_machine_name = 36, longest_reason = 68;

bool is_predicted(const PredictedTime& time) {
  return time.forecast->status == model::Status::ok;
}

// What binds anywhere for a part of the time that can be seen, by the sum of these parts.
std::vector<std::string> bounds_of(const std::vector<PredictedTime>& times) {
  constexpr double seen = 0.03;
  std::map<std::string, double> sums, most;
  for (const PredictedTime& time : times) {
    for (const Forecast::Share& share : time.forecast->binds) {
      const double part = share.seconds / time.forecast->seconds;
      sums[share.what] += part;
      most[share.what] = std::max(most[share.what], part);
    }
  }
  std::vector<std::string> bounds;
  for (const auto& [what, part] : most) {
    if (part >= seen) bounds.push_back(what);
  }
  sort_down_by(bounds, [&](const std::string& what) { return sums[what]; });
  if (bounds.size() < most.size()) bounds.emplace_back(other_bounds);
  return bounds;
}

// Seconds of a bar by these.
std::vector<double> parts_of_time(const Forecast& forecast, const std::vector<std::string>& bounds) {
  std::vector<double> parts(bounds.size());
  for (const Forecast::Share& share : forecast.binds) {
    const auto own = std::ranges::find(bounds, share.what);
    parts[own == bounds.end() ? bounds.size() - 1 : static_cast<std::size_t>(own - bounds.begin())] +=
        share.seconds;
  }
  return parts;
}

Style style_of_bound(std::size_t bound) {
  return filled(series_style(bound), bound);
}

// The parts of a bar beside each other, and its interval: a dark line on a white one is visible on each.
void add_time_bar(Panel& panel, const Forecast& forecast, const std::vector<std::string>& bounds, double row,
                  const Unit& unit) {
  double from = 0;
  const std::vector<double> parts = parts_of_time(forecast, bounds);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] <= 0) continue;
    const double to = from + parts[i] / unit.size, above = row - half_a_bar, below = row + half_a_bar;
    panel.series.push_back(
        {bounds[i], Mark::area, style_of_bound(i), {{from, above}, {to, above}, {to, below}, {from, below}}});
    from = to;
  }
  const Datum interval{forecast.seconds / unit.size, row, forecast.lo / unit.size, forecast.hi / unit.size};
  for (const Style& style : {Style{0xffffff, 3.6}, Style{ink, 1.4}}) {
    panel.series.push_back({"", Mark::intervals_across, style, {interval}});
    panel.series.back().style.capped = true;
  }
}

void add_time_rows(Table& table, const PredictedTime& time) {
  const auto add = [&](const std::string& what) {
    table.add_row();
    table.set("machine", time.machine);
    table.set("what", what);
  };
  if (!is_predicted(time)) {
    add("");
    table.set("reason", time.forecast->reason);
    return;
  }
  add("all");
  table.set("seconds", time.forecast->seconds);
  table.set("lo", time.forecast->lo);
  table.set("hi", time.forecast->hi);
  for (const Forecast::Share& share : time.forecast->binds) {
    add(share.what);
    table.set("seconds", share.seconds);
  }
}

std::string words_behind(const PredictedTime& time) {
  return is_predicted(time) ? duration_text(time.forecast->seconds)
                            : "not predicted: " + shortened(time.forecast->reason, longest_reason);
}

// The end of the axis: that of the longest interval that is not out of all proportion.
double reach_of_times(const std::vector<PredictedTime>& times, double here) {
  constexpr double widest = 3;
  double longest = here, reach = here;
  for (const PredictedTime& time : times) longest = std::max(longest, time.forecast->seconds);
  for (const PredictedTime& time : times)
    reach = std::max(reach, std::min(time.forecast->hi, widest * longest));
  return reach;
}

void add_measured_time(Chart& chart, Panel& panel, const MeasuredTime& here, const Unit& unit) {
  const double at = here.seconds / unit.size;
  const std::string name = fmt::format("measured on {}: {}", here.machine, duration_text(here.seconds));
  const Style style{ink, 1.4, {5, 4}};
  panel.series.push_back({name, Mark::line, style, {{at, panel.y.to}, {at, panel.y.from}}});
  chart.legend.push_back({name, Mark::line, style});
}

}  // namespace

Chart predicted_times_chart(const std::string& program, const std::vector<PredictedTime>& times,
                            const std::optional<MeasuredTime>& here) {
  constexpr const char* name = "predicted";
  if (std::ranges::none_of(times, is_predicted)) return omitted_chart(name, "no time can be predicted");
  Chart chart;
  chart.name = name;
  chart.title = "Predicted times of " + shortened(program, longest_machine_name);
  chart.subtitle = here ? "from its time on " + here->machine : "from its profile alone";
  chart.note = "Bars: by what binds. Lines on them: 95 % intervals of the time.";
  chart.table = Table({"machine", "what", "seconds", "lo", "hi", "reason"});
  const double reach = reach_of_times(times, here ? here->seconds : 0);
  const Unit unit = unit_for(reach, {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}});
  const auto rows = static_cast<double>(times.size());
  double names = 0;
  for (const PredictedTime& time : times)
    names = std::max(names, text_width(shortened(time.machine, longest_machine_name)));
  Panel panel;
  panel.area = {names + page_margin + 12, 84, 480, row_of_bar * rows};
  panel.x = {{"time", unit.name}, 0, 1.06 * reach / unit.size};
  panel.y = rows_axis(rows);
  const std::vector<std::string> bounds = bounds_of(times);
  for (std::size_t i = 0; i < bounds.size(); ++i)
    chart.legend.push_back({bounds[i], Mark::area, style_of_bound(i)});
  double words = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const PredictedTime& time = times[i];
    const auto row = static_cast<double>(i);
    panel.y.ticks->push_back({row, shortened(time.machine, longest_machine_name)});
    if (is_predicted(time)) add_time_bar(panel, *time.forecast, bounds, row, unit);
    const double left = panel.area.left + (is_predicted(time) ? panel.area.width : 0) + behind_interval;
    chart.labels.push_back({words_behind(time), left, panel.page_y(row)});
    chart.labels.back().on_white = !is_predicted(time);
    words = std::max(words, left + text_width(words_behind(time)) - panel.area.left - panel.area.width);
    add_time_rows(chart.table, time);
  }
  if (here) add_measured_time(chart, panel, *here, unit);
  fit_page(chart, panel.area, words + page_margin);
  if (std::ranges::any_of(times, [&](const auto& time) { return time.forecast->hi > reach; }))
    chart.note += " Those that reach the frame end beyond it.";
  chart.panels.push_back(std::move(panel));
  add_legend_below(chart);
  make_room_for_texts(chart);
  return chart;
}

}  // namespace gable::charts
