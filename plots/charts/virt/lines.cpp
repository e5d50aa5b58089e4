#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/records/names.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/virt/charts.hpp"

namespace gable::charts {
namespace {

Rectangle virt_area(const Chart& chart) {
  return chart.column ? Rectangle{66, 84, column_page - 66 - 14, 220} : Rectangle{80, 84, 600, 360};
}

// Powers of `base`, as many as fit beside each other.
std::vector<Tick> power_ticks(const Chart& chart, double from, double to, double base,
                              const std::function<std::string(double)>& text) {
  const int most = chart.column ? 5 : 9;
  const int first = static_cast<int>(std::ceil(std::log(from) / std::log(base) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log(to) / std::log(base) + 1e-9));
  const int step = std::max(1, (last - first + most) / most);
  std::vector<Tick> ticks;
  for (int power = first; power <= last; power += step) {
    const double at = std::pow(base, power);
    ticks.push_back({at, text(at)});
  }
  return ticks;
}

Chart begun_chart(const std::string& name, const std::string& title, const std::string& subtitle,
                  bool column) {
  Chart chart;
  chart.name = name;
  chart.title = title;
  chart.subtitle = subtitle;
  chart.column = column;
  fit_page(chart, virt_area(chart), column ? 14 : 40);
  return chart;
}

void finish_chart(Chart& chart, Panel panel) {
  panel.area = virt_area(chart);
  chart.panels.push_back(std::move(panel));
  add_legend_below(chart);
  make_room_for_texts(chart);
}

// Points with intervals, and a line through `curve`.
void add_line(Chart& chart, Panel& panel, const std::string& name, std::size_t index,
              const std::vector<Datum>& points, const std::vector<Datum>& curve) {
  const Style style = series_style(index);
  Series line{name, Mark::line, style, curve}, marks{name, Mark::points, style, points},
      intervals{name, Mark::intervals, style, points};
  marks.style.size = 0.5;
  intervals.style.width = 1.2;
  for (Series* series : {&line, &intervals, &marks}) panel.series.push_back(std::move(*series));
  chart.legend.push_back({name, Mark::line, panel.series.back().style, true});
}

void add_row(Table& table, const std::string& side, double x, const Datum& datum) {
  table.add(side, x, datum.y, datum.lo, datum.hi);
}

// What the visits of a kind note, such as other processes that kept CPUs busy.
std::string visit_notes(const std::vector<VirtSide>& sides, model::VirtKind kind) {
  std::string text;
  for (const VirtSide& side : sides) {
    const auto of_kind = side.summary->notes.find(kind);
    if (of_kind == side.summary->notes.end()) continue;
    for (const std::string& note : of_kind->second)
      text += fmt::format(" {}{}{}", side.name, side.name.empty() ? "" : ": ", note);
  }
  return text;
}

Table virt_table() {
  return Table({"environment", "x", "value", "lo", "hi"});
}

}  // namespace

Chart virt_walks_chart(const std::vector<VirtSide>& sides, bool column) {
  Chart chart =
      begun_chart("virt-walks", "Cost of translating addresses",
                  "random accesses to a line in each 4 KiB, minus the same number of packed ones", column);
  chart.table = virt_table();
  Panel panel;
  Extremes bytes;
  double most = 1, least = 0;
  for (const VirtSide& side : sides) {
    for (const model::WalkLadder& ladder : side.summary->ladders) {
      const std::string name =
          side.name + (side.name.empty() ? "" : ", ") + model::pages_text(ladder.pages) + " pages";
      std::vector<Datum> points, curve;
      for (const model::WalkPoint& point : ladder.points) {
        const double reach = model::normal_95 * point.error;
        points.push_back({point.bytes, point.ns, point.ns - reach, point.ns + reach});
        add_row(chart.table, name, point.bytes, points.back());
        bytes.see(point.bytes);
        most = std::max(most, point.ns);
        least = std::min(least, point.ns);
      }
      if (points.empty()) continue;
      for (double at = points.front().x; at <= points.back().x * 1.001; at *= 1.1)
        curve.push_back({at, ladder.fit.at(at)});
      if (ladder.points.size() < 6) curve.clear();
      add_line(chart, panel, name, chart.legend.size(), points, curve);
    }
  }
  const auto [from, to] = bytes;
  if (to <= 0) return omitted_chart(chart.name, "no page-walk ladder was measured");
  panel.x = {"working set", from / 1.2, to * 1.2, Scale::log2, power_ticks(chart, from, to, 2, [](double at) {
               return bytes_text(static_cast<std::uint64_t>(at));
             })};
  panel.x.is_bytes = true;
  panel.y = {{"translation", "ns per access"}, std::max(least * 1.1, -0.2 * most), most * 1.12};
  chart.note =
      "Points: measured, with 95 % confidence intervals. Lines: the fitted reach and cost of each TLB "
      "level." +
      visit_notes(sides, model::VirtKind::walk);
  finish_chart(chart, std::move(panel));
  return chart;
}

Chart virt_noise_chart(const std::vector<VirtSide>& sides, bool column) {
  Chart chart =
      begun_chart("virt-noise", "Time lost to detours, by their length", "mean over the CPUs", column);
  chart.table = virt_table();
  Panel panel;
  Extremes lengths, shares;
  for (const VirtSide& side : sides) {
    std::vector<Datum> points;
    double seconds = 0;
    for (const model::Noise& noise : side.summary->noises) {
      seconds += noise.seconds;
      for (const model::NoiseBin& bin : noise.histogram) {
        auto known = std::ranges::find(points, bin.from_us, &Datum::x);
        if (known == points.end()) known = points.insert(points.end(), Datum{bin.from_us, 0});
        known->y += bin.lost_us;
      }
    }
    std::erase_if(points, [](const Datum& point) { return point.y <= 0; });
    sort_by(points, &Datum::x);
    for (Datum& point : points) {
      point.y *= 100 / (seconds * 1e6);
      lengths.see(point.x);
      shares.see(point.y);
      add_row(chart.table, side.name, point.x, point);
      point.x *= std::sqrt(2.0);  // the middle of its bin
    }
    if (points.empty()) continue;
    const std::string share = fmt::format("{:.3g} % lost", 100 * side.summary->noise_share());
    add_line(chart, panel, side.name.empty() ? share : fmt::format("{}: {}", side.name, share),
             chart.legend.size(), points, points);
  }
  const double from = lengths.least, to = 2 * lengths.most;
  if (to <= 0) return omitted_chart(chart.name, "no noise was recorded, or there was none");
  panel.x = {"length of a detour", from, to, Scale::log10,
             power_ticks(chart, from, to, 10, [](double at) { return duration_text(at * 1e-6); })};
  panel.y = {{"share of the time", "%"}, shares.least / 2, shares.most * 2, Scale::log10};
  panel.y.ticks = decade_ticks(panel.y.from, panel.y.to);
  chart.note =
      "Each point: detours of 0.7 to 1.4 times its length." + visit_notes(sides, model::VirtKind::noise);
  finish_chart(chart, std::move(panel));
  return chart;
}

Chart scale_chart(const std::vector<ScaleLine>& lines, bool strong, bool column) {
  Chart chart =
      begun_chart("virt-scale", "What noise does at scale",
                  strong ? "strong scaling: all nodes share the computing" : "weak scaling", column);
  chart.table = virt_table();
  Panel panel;
  double to = 1, most = 1, least = 1;
  bool beyond = false;
  for (const ScaleLine& line : lines) {
    std::vector<Datum> points;
    for (const model::ScalePoint& point : line.points) {
      points.push_back(
          {static_cast<double>(point.nodes), point.slowdown.value, point.slowdown.lo, point.slowdown.hi});
      add_row(chart.table, line.name, point.nodes, points.back());
      to = std::max(to, points.back().x);
      most = std::max(most, point.slowdown.hi);
      least = std::min(least, point.slowdown.lo);
      beyond = beyond || point.beyond_record;
    }
    add_line(chart, panel, line.name, chart.legend.size(), points, points);
  }
  panel.x = {"nodes", 0.8, to * 1.3, Scale::log10,
             power_ticks(chart, 1, to, 10, [](double at) { return fmt::format("{:.0f}", at); })};
  const double room = 0.08 * (most - least) + 1e-4;
  panel.y = {"time with noise / without", least - room, most + room};
  chart.note = "Error bars: 95 % intervals from bootstrapped records.";
  if (beyond)
    chart.note += " The last figures are lower limits: detours too rare for the record are missing.";
  for (const ScaleLine& line : lines) {
    for (const std::string& note : line.notes) chart.note += " " + note;
  }
  finish_chart(chart, std::move(panel));
  return chart;
}

}  // namespace gable::charts
