// Bandwidth and latency over the working set, with the cache sizes that the topology claims.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/records/names.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/machine/curves.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;

namespace {

constexpr double panel_gap = 16, top = 84;

double working_set(const Roof& roof) {
  return static_cast<double>(roof.spec.bytes);
}

// Powers of two around the values, at least half an octave away.
Axis value_axis(const AxisTitle& title, const std::vector<Curve>& curves) {
  Extremes values;
  for (const Curve& curve : curves) {
    for (const Roof& point : curve.points) values.see(point.value);
  }
  Axis axis{title, std::exp2(std::floor(std::log2(values.least) - 0.5)),
            std::exp2(std::ceil(std::log2(values.most) + 0.5)), Scale::log2};
  axis.grid = Grid::minor;
  return axis;
}

// Powers of two from `least` to `most`, both with their text, so far apart that texts do not touch.
std::vector<Tick> size_ticks(double least, double most, double width) {
  constexpr double room = 60;
  const double octave = width / (most - least);
  double step = 1;
  while (step * octave < room) step *= 2;
  std::vector<double> powers;
  for (double k = least; k < most; k += step) powers.push_back(k);
  if (powers.size() > 1 && (most - powers.back()) * octave < room) powers.pop_back();
  powers.push_back(most);
  std::vector<Tick> ticks;
  for (const double k : powers)
    ticks.push_back({std::exp2(k), bytes_text(std::uint64_t{1} << static_cast<int>(k))});
  return ticks;
}

Axis size_axis(const std::vector<const std::vector<Curve>*>& all, double width) {
  Extremes sizes;
  for (const auto* curves : all) {
    for (const Curve& curve : *curves) {
      for (const Roof* end : {&curve.points.front(), &curve.points.back()})
        sizes.see(std::log2(working_set(*end)));
    }
  }
  const double least = std::floor(sizes.least), most = std::max(std::ceil(sizes.most), least + 1);
  Axis axis{"working set", std::exp2(least), std::exp2(most), Scale::log2, size_ticks(least, most, width)};
  axis.is_bytes = true;
  return axis;
}

// What the bars are. An interval may leave its axis, which is as long as the values need.
std::string bars_note(const Chart& chart, const std::vector<const std::vector<Curve>*>& all) {
  std::vector<Roof> drawn;
  for (const auto* curves : all) {
    for (const Curve& curve : *curves) drawn.insert(drawn.end(), curve.points.begin(), curve.points.end());
  }
  std::string note = interval_note("Error bars", drawn, false);
  const auto leaves_frame = [](const Panel& panel) {
    return std::ranges::any_of(panel.series, [&](const Series& series) {
      return std::ranges::any_of(series.data,
                                 [&](const Datum& at) { return at.lo < panel.y.from || at.hi > panel.y.to; });
    });
  };
  if (!note.empty() && std::ranges::any_of(chart.panels, leaves_frame))
    note.replace(note.size() - 1, 1, "; a bar that reaches the frame extends beyond it.");
  return note;
}

std::string level_note(const model::CacheLevel& level) {
  const std::string claimed = fmt::format("{} {}", level.level.name(), bytes_text(level.claimed_bytes));
  if (level.confirmed) return claimed + " confirmed";
  if (level.measured_bytes == 0) return claimed + " claimed, not confirmed";
  return fmt::format("{} claimed, {} measured", claimed, bytes_text(level.measured_bytes));
}

std::vector<model::CacheLevel> levels_of(const Recorded& recorded, int cluster) {
  return those(recorded.roofs.levels, [&](const model::CacheLevel& level) {
    return level.cluster == cluster && level.claimed_bytes > 0;
  });
}

void add_level_rows(Table& table, const std::vector<model::CacheLevel>& levels) {
  for (const model::CacheLevel& level : levels) {
    table.add_row();
    table.set("cluster", level.cluster);
    table.set("kind", "cache");
    table.set("level", level.level.name());
    table.set("bytes", level.claimed_bytes);
    table.set("measured_bytes", level.measured_bytes);
    table.set("confirmed", level.confirmed ? "yes" : "no");
    table.set("reason", sentence(level.remark));
  }
}

void add_levels(Panel& panel, const std::vector<model::CacheLevel>& levels) {
  const Style style{0x777777, 1, {5, 4}};
  for (const model::CacheLevel& level : levels) {
    const auto bytes = static_cast<double>(level.claimed_bytes);
    if (bytes < panel.x.from || bytes > panel.x.to) continue;
    panel.series.push_back(
        {level_note(level), Mark::line, style, {{bytes, panel.y.from}, {bytes, panel.y.to}}});
  }
}

void add_level_names(Chart& chart, const Panel& panel, const std::vector<model::CacheLevel>& levels) {
  const double room = chart.column ? 64 : 90;
  std::vector<double> wanted;
  for (const model::CacheLevel& level : levels)
    wanted.push_back(panel.page_x(static_cast<double>(level.claimed_bytes)) + 5);
  const auto placed = spread(wanted, room, panel.area.left, panel.area.right() - room);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string text = levels[i].level.name() + " " + bytes_text(levels[i].claimed_bytes);
    chart.labels.push_back({text, placed[i], panel.area.top + 12, Align::left, soft_ink});
  }
}

}  // namespace

Chart ladder_chart(const Recorded& recorded, int cluster) {
  const std::string name = fmt::format("ladder-{}", cluster);
  auto bandwidth = curves_of(recorded, select(recorded.roofs.ladder, cluster, model::Kind::bandwidth));
  auto latency = curves_of(recorded, select(recorded.roofs.ladder, cluster, model::Kind::latency));
  for (auto* curves : {&bandwidth, &latency}) {
    for (Curve& curve : *curves) sort_by(curve.points, working_set);
  }
  if (bandwidth.empty() && latency.empty()) {
    return omitted_chart(name, recorded.roofs.ladder.empty()
                                   ? "no working-set ladder was measured"
                                   : "no step of the working-set ladder is valid; see `gable fit`");
  }
  Chart chart;
  chart.name = name;
  const int threads = (bandwidth.empty() ? latency : bandwidth).front().points.front().spec.threads;
  set_titles(chart, recorded, "Working-set ladder", cluster, count_text(threads, "thread"));
  chart.table = curve_table({"measured_bytes", "confirmed"});
  add_rows(chart.table, bandwidth, 0);
  add_rows(chart.table, latency, 10);
  const std::vector<model::CacheLevel> levels = levels_of(recorded, cluster);
  add_level_rows(chart.table, levels);
  for (const model::CacheLevel& level : levels)
    chart.note += (chart.note.empty() ? "Caches: " : "; ") + level_note(level);

  constexpr double half_size = 28;  // of the text below the end of the axis
  const double left = chart.column ? 62 : 80,
               panel_width = chart.column ? column_page - left - half_size : 760;
  const Axis sizes = size_axis({&bandwidth, &latency}, panel_width);
  const double panel_height = chart.column ? 150 : 300;
  double y = top;
  for (const auto& [curves, title] :
       {std::pair{&bandwidth, AxisTitle("bandwidth", "GB/s")}, {&latency, AxisTitle("latency", "ns")}}) {
    if (curves->empty()) continue;
    Panel panel;
    panel.area = {left, y, panel_width, panel_height};
    panel.x = sizes;
    panel.y = value_axis(title, *curves);
    if (curves == &bandwidth && !latency.empty()) panel.x.drop_texts();
    add_levels(panel, levels);
    add_curves(chart, panel, *curves, working_set, curves == &latency ? 1 : 0, false);
    if (chart.panels.empty()) add_level_names(chart, panel, levels);
    chart.panels.push_back(std::move(panel));
    y += panel_height + panel_gap;
  }
  const std::string bars = bars_note(chart, {&bandwidth, &latency});
  if (!bars.empty()) chart.note += (chart.note.empty() ? "" : ". ") + bars;
  const double names = std::max(name_column(bandwidth), name_column(latency));
  chart.width = chart.column ? column_page : left + panel_width + names;
  chart.height = y - panel_gap + axis_room;
  if (chart.column) add_legend_below(chart);
  return chart;
}

}  // namespace gable::charts
