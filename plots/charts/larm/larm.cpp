// The Locality-Aware Roofline chart of one cluster (LARM paper, section 2): oblique bandwidth roofs,
// horizontal peaks.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/words.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/larm/intervals.hpp"
#include "plots/charts/larm/labels.hpp"
#include "plots/charts/larm/points.hpp"
#include "plots/charts/larm/roof_lines.hpp"
#include "plots/charts/larm/validation.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

namespace {

// The roof of an application whose data lies in several memories, if a model gives it (section 6.2): a
// separate line, named after the application.
std::vector<Roof> application_roofs(const Recorded& recorded, int cluster) {
  std::vector<Roof> roofs;
  for (std::size_t i = 0; i < recorded.readings.size(); ++i) {
    const model::Limit& limit = recorded.readings[i].limit;
    const bool is_hybrid = limit.kind == model::Limit::Kind::hybrid && limit.fitted;
    if (!is_hybrid || recorded.readings[i].roof.empty() || recorded.readings[i].cluster != cluster) continue;
    Roof roof;
    roof.asked.kind = "bandwidth";
    roof.asked.cluster = cluster;
    roof.asked.level = "memory";
    roof.asked.pattern = "hybrid";
    roof.asked.op = recorded.points[i].name;
    roof.asked.threads = limit.threads;
    roof.value = limit.value;
    roof.lo = limit.lo;
    roof.hi = limit.hi;
    roof.unit = "GB/s";
    roofs.push_back(roof);
  }
  return roofs;
}

// Bandwidths by value, including those of applications, then peaks.
std::vector<Roof> roofs_of_chart(const Recorded& recorded, int cluster) {
  auto roofs = best_of_each(recorded.roofs.roofs, [&](const Roof& roof) {
    const model::Case& asked = roof.asked;
    return asked.cluster == cluster &&
           (asked.kind == "flops" ||
            (asked.kind == "bandwidth" && asked.op == recorded.op && asked.pattern != "hybrid"));
  });
  const std::vector<Roof> applications = application_roofs(recorded, cluster);
  roofs.insert(roofs.end(), applications.begin(), applications.end());
  std::stable_sort(roofs.begin(), roofs.end(), [](const Roof& a, const Roof& b) {
    if (a.asked.kind != b.asked.kind) return a.asked.kind < b.asked.kind;
    return a.value > b.value;
  });
  return roofs;
}

Table table_of(const std::vector<Roof>& roofs, const std::vector<LarmLabel>& labels, double ridge_peak) {
  Table table(roof_columns({"ridge_flop_per_byte", "label", "point", "from", "flop_per_byte"}));
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    table.add_row();
    set_roof(table, roofs[i]);
    if (roofs[i].status != Status::ok) continue;
    if (roofs[i].asked.kind != "flops" && ridge_peak > 0)
      table.set("ridge_flop_per_byte", ridge_peak / roofs[i].value);
    for (const LarmLabel& label : labels) {
      if (label.roofs.front() == i) table.set("label", label.text);
    }
  }
  return table;
}

void add_point_rows(Table& table, const std::vector<PlacedPoint>& points, int cluster) {
  for (const PlacedPoint& point : points) {
    table.add_row();
    table.set("cluster", cluster);
    table.set("kind", "point");
    table.set("point", point.name);
    table.set("from", point.from);
    table.set("flop_per_byte", point.flop_per_byte);
    table.set("value", point.gflop_per_s);
    table.set("lo", point.lo);
    table.set("hi", point.hi);
    table.set("unit", "GFlop/s");
  }
}

// The content of the chart, and the resulting ranges of its axes.
struct Drawn {
  std::vector<Roof> roofs, oblique;
  Extremes bandwidth, peak;
  double ridge_peak = 0;  // double precision if it was measured
  int missing = 0;
};

Drawn drawn_of(const Recorded& recorded, int cluster) {
  Drawn drawn;
  drawn.roofs = roofs_of_chart(recorded, cluster);
  for (const Roof& roof : drawn.roofs) {
    if (roof.status != Status::ok) {
      ++drawn.missing;
    } else if (roof.asked.kind == "bandwidth") {
      drawn.bandwidth.see(roof.value);
      drawn.oblique.push_back(roof);
    } else {
      drawn.peak.see(roof.value);
      if (roof.asked.precision == "dp") drawn.ridge_peak = std::max(drawn.ridge_peak, roof.value);
    }
  }
  if (drawn.ridge_peak == 0) drawn.ridge_peak = drawn.peak.most;
  return drawn;
}

Panel panel_of(const LarmFrame& frame) {
  Panel panel;
  panel.area = frame.area;
  panel.x = {"arithmetic intensity (flop/byte)", std::exp2(frame.x_first), std::exp2(frame.x_last),
             Scale::log2, std::vector<Tick>()};
  const double octaves = frame.x_to - frame.x_from;
  const int step = octaves > 20 ? 4 : octaves > 15 ? 2 : 1;
  for (int k = static_cast<int>(frame.x_from); k <= static_cast<int>(frame.x_to); k += step)
    panel.x.ticks->push_back(
        {std::exp2(k), k < 0 ? fmt::format("1/{:g}", std::exp2(-k)) : fmt::format("{:g}", std::exp2(k))});
  panel.y = {"performance (GFlop/s)", std::exp2(frame.y_from), std::exp2(frame.y_to), Scale::log10};
  panel.y.grid = Grid::minor;
  return panel;
}

// No grid behind the labels.
void clear_label_columns(Panel& panel, const LarmFrame& frame) {
  const Style white{0xffffff};
  const double below = panel.y.from, above = panel.y.to;
  for (const auto& [from, to] :
       {std::pair{panel.x.from, std::exp2(frame.x_from)}, {std::exp2(frame.x_to), panel.x.to}})
    panel.series.push_back({"", Mark::area, white, {{from, below}, {to, below}, {to, above}, {from, above}}});
}

void add_labels(Chart& chart, Panel& panel, const std::vector<Roof>& roofs,
                const std::vector<LarmLabel>& labels, const std::vector<Line>& lines,
                const LarmFrame& frame) {
  const double leader = leader_room * (frame.x_to - frame.x_from) / roof_width;
  for (const LarmLabel& label : labels) {
    const bool flops = roofs[label.roofs.front()].asked.kind == "flops";
    const double x = std::exp2(flops ? frame.x_to + leader : frame.x_from - leader), y = std::exp2(label.y);
    for (const std::size_t i : label.roofs) {
      Style style = roof_style(roofs[i].asked);
      style.width = 0.8;
      style.dash.clear();
      const Line& line = lines[i];
      const Datum end{std::exp2(flops ? line.x_to : line.x_from), std::exp2(flops ? line.y_to : line.y_from)};
      panel.series.push_back({"", Mark::line, style, {{x, y}, end}, 1, "", roof_name(roofs[i])});
    }
    const double page_x = panel.page_x(x) + (flops ? 4 : -4);
    chart.labels.push_back({label.text, page_x, panel.page_y(y), flops ? Align::left : Align::right,
                            roof_style(roofs[label.roofs.front()].asked).colour});
    for (const std::size_t i : label.roofs) chart.labels.back().groups.push_back(roof_name(roofs[i]));
  }
}

// The part of the note about validation and about omitted items.
std::string remarks_text(const std::string& chart, bool is_validated, int missing, int without_place) {
  std::string note;
  if (is_validated) {
    note +=
        " Small open circles: validation programs; error: their RMS distance from the roof, in brackets by "
        "the LARM "
        "paper's formula.";
  }
  if (missing > 0)
    note += fmt::format(" Not drawn: {} skipped or invalid, reasons in {}.tsv.", missing, chart);
  if (without_place > 0)
    note += fmt::format(" {} without flops or bytes.", count_text(without_place, "point"));
  return note;
}

}  // namespace

Chart larm_chart(const Recorded& recorded, int cluster) {
  const std::string name = fmt::format("larm-{}{}", cluster, recorded.op == "load" ? "" : "-" + recorded.op);
  Drawn drawn = drawn_of(recorded, cluster);
  const std::vector<Roof>& roofs = drawn.roofs;
  if (drawn.oblique.empty())
    return omitted_chart(name, fmt::format("no bandwidth of {} was measured", recorded.op));

  constexpr std::size_t most_labels = 36;
  const auto& validations = recorded.roofs.validation;
  auto labels = labels_of(roofs, false, most_labels, validations);
  auto right = labels_of(roofs, true, most_labels, validations);
  const ClusterPoints points = points_of_cluster(recorded, cluster);
  const std::vector<Roof> validated = validation_points(validations, roofs);
  std::vector<PlacedPoint> shown = places_of(validated);
  drawn.missing += static_cast<int>(validated.size() - shown.size());
  const bool is_validated = !shown.empty();
  shown.insert(shown.end(), points.drawn.begin(), points.drawn.end());
  const LarmFrame frame =
      frame_of(drawn.bandwidth, drawn.peak, label_column(labels), label_column(right), shown);
  place_labels(labels, frame, frame.x_from);
  place_labels(right, frame, 0);
  labels.insert(labels.end(), right.begin(), right.end());

  Chart chart;
  chart.name = name;
  chart.width = frame.area.left + frame.area.width + 14;
  chart.height = frame.area.top + frame.area.height + axis_room;
  set_titles(chart, recorded, fmt::format("Locality-Aware Roofline ({})", recorded.op), cluster,
             conditions_text(drawn.oblique));
  chart.table = table_of(roofs, labels, drawn.ridge_peak);
  add_validation_rows(chart.table, validated);
  add_point_rows(chart.table, points.drawn, cluster);

  Panel panel = panel_of(frame);
  clear_label_columns(panel, frame);
  const double ridge_peak = drawn.peak.most > 0 ? drawn.ridge_peak : 0;
  const std::string range =
      add_hybrid_range(panel, roofs, std::exp2(frame.x_from), std::exp2(frame.x_to), ridge_peak);
  const std::vector<Line> lines = lines_of(roofs, frame, drawn.bandwidth, drawn.peak);
  const auto bars = bar_places(roofs, frame);
  add_bands(panel, roofs, lines, bars, drawn.peak.most > 0);
  add_labels(chart, panel, roofs, labels, lines, frame);
  add_roofs(panel, roofs, lines, bars);
  add_validation(panel, validated);
  add_ridges(panel, roofs, ridge_peak);
  const EdgesOfPoints edges = add_points(chart, panel, points.drawn, area_of(frame));
  chart.panels.push_back(std::move(panel));

  const bool plus_minus = std::ranges::any_of(
      labels, [](const LarmLabel& label) { return label.text.find("±") != std::string::npos; });
  chart.note = interval_note(bands_text(roofs, bars), roofs, plus_minus);
  chart.note += drawn.peak.most > 0 ? " Diamonds: ridge points." : " No floating-point peak is known.";
  chart.note += range;
  if (edges.any_outside) chart.note += " Arrows at the edge: points beyond it.";
  if (edges.any_interval_cut || any_bar_cut(roofs, bars, frame))
    chart.note += " Bars that reach the frame extend beyond it.";
  chart.note += remarks_text(chart.name, is_validated, drawn.missing, points.without_place);
  return chart;
}

}  // namespace gable::charts
