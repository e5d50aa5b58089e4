// The Locality-Aware Roofline chart of one cluster (LARM paper, section 2): oblique bandwidth roofs,
// horizontal peaks.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/words.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/larm/labels.hpp"
#include "plots/charts/larm/mix_roofs.hpp"
#include "plots/charts/larm/points/point_levels.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/larm/roof_lines.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

namespace {

// The rows of a machine's roofs; the rows of another machine than the chart's name it.
void add_roof_rows(Table& table, const LabelledRoofs& machine,
                   const std::vector<model::Validation>& validations) {
  const DrawnRoofs& drawn = machine.drawn;
  for (std::size_t i = 0; i < drawn.roofs.size(); ++i) {
    const Roof& roof = drawn.roofs[i];
    table.add_row();
    set_roof(table, roof);
    table.set("machine", drawn.machine);
    if (roof.status != Status::ok) continue;
    if (!is_peak(roof.spec.kind) && drawn.ridge_peak > 0)
      table.set("ridge_flop_per_byte", drawn.ridge_peak / roof.value);
    for (const auto* labels : {&machine.bandwidths, &machine.peaks}) {
      for (const LarmLabel& label : *labels) {
        if (label.roofs.front() == i) table.set("label", label.text);
      }
    }
    const model::Validation* const validation =
        drawn.machine.empty() ? validation_of(validations, roof) : nullptr;
    if (validation && validation->rms_percent) table.set("error_percent", *validation->rms_percent);
  }
}

void add_point_rows(Table& table, const std::vector<PlacedPoint>& points, int cluster) {
  for (const PlacedPoint& point : points) {
    table.add_row();
    table.set("cluster", cluster);
    table.set("kind", point.share > 0 ? "function" : "point");
    if (point.share > 0) table.set("share_percent", 100 * point.share);
    table.set("point", point.name);
    table.set("from", point.from);
    if (point.number > 0) table.set("label", point.number);
    table.set(point.quantity.column, point.flop_per_byte);
    table.set("value", point.gflop_per_s);
    table.set("lo", point.lo);
    table.set("hi", point.hi);
    table.set("unit", point.quantity.rate);
    add_rows_of_levels(table, point, cluster);
  }
}

// " (invalid: L3; DRAM node 0, local)": the bandwidths whose absence from the chart would mislead its reader,
// who may take the next roof for the limit of a point. Skipped ones do not exist on the machine, or were not
// wanted.
std::string invalid_text(const DrawnRoofs& drawn) {
  std::vector<std::string> names;
  for (const Roof& roof : drawn.roofs) {
    if (roof.status == Status::invalid && roof.spec.kind == model::Kind::bandwidth)
      names.push_back(drawn.name_of(roof));
  }
  if (names.empty()) return {};
  constexpr std::size_t most = 6;
  const std::size_t more = names.size() - std::min(names.size(), most);
  names.resize(names.size() - more);
  return fmt::format(" (invalid: {}{})", fmt::join(names, "; "),
                     more > 0 ? fmt::format("; {} more", more) : "");
}

// The part of the note about validation and about omitted items.
std::string remarks_text(const std::string& table, const std::string& error, int missing,
                         const std::string& invalid, const RooflineView& view) {
  std::string note;
  if (!error.empty())
    note += fmt::format(" Small circles, thin lines: programs of known intensity, {}.", error);
  if (missing > 0)
    note += fmt::format(" Not drawn: {} skipped or invalid{}, reasons in {}.", missing, invalid, table);
  if (view.points.without_place > 0)
    note += fmt::format(" {} without flops or bytes.",
                        count_text(view.points.without_place, view.columns.empty() ? "point" : "function"));
  if (view.points.integer > 0)
    note += fmt::format(" {} without flops: on the chart of accesses.",
                        count_text(view.points.integer, "program"));
  return note + view.note;
}

// The axes of all machines, and the lines of their roofs.
LarmFrame frame_of_machines(std::vector<LabelledRoofs>& machines, const std::vector<PlacedPoint>& points,
                            bool column) {
  Extremes bandwidth, peak;
  LabelRoom room{0, 0, column};
  for (const LabelledRoofs& machine : machines) {
    for (const double value : {machine.drawn.bandwidth.least, machine.drawn.bandwidth.most})
      bandwidth.see(value);
    if (machine.drawn.peak.most > 0) {
      for (const double value : {machine.drawn.peak.least, machine.drawn.peak.most}) peak.see(value);
    }
    if (!column) room.left_column = std::max(room.left_column, label_column(machine.bandwidths));
    // In a column the widest would squeeze the roofs, and another machine's are in the legend.
    if (!column)
      room.peaks = std::max(room.peaks, widest_label(machine.peaks));
    else if (machine.drawn.machine.empty() && !machine.peaks.empty())
      room.peaks = text_width(machine.peaks.front().text);
  }
  const LarmFrame frame = frame_of(bandwidth, peak, room, points);
  for (LabelledRoofs& machine : machines)
    machine.lines = lines_of(machine.drawn.roofs, frame, machine.drawn.bandwidth, machine.drawn.peak);
  return frame;
}

// Roofs of another machine, as lines alone.
void add_overlay(Panel& panel, const LabelledRoofs& machine) {
  for (std::size_t i = 0; i < machine.drawn.roofs.size(); ++i) {
    const Roof& roof = machine.drawn.roofs[i];
    if (roof.status != Status::ok) continue;
    const Line& line = machine.lines[i];
    panel.series.push_back({machine.drawn.name_of(roof),
                            Mark::line,
                            machine.drawn.style_of(roof),
                            {line.from(), line.to()},
                            1,
                            roof_detail(roof)});
  }
}

// The whole picture but its labels, and what the note says of it. Returns the labels of the points.
std::vector<PointLabel> add_pictures(Chart& chart, Panel& panel, const Recorded& recorded,
                                     const std::vector<LabelledRoofs>& machines, const LarmFrame& frame,
                                     const std::vector<Roof>& validated, const RooflineView& view) {
  const std::vector<PlacedPoint>& points = view.points.drawn;
  const DrawnRoofs& drawn = machines.front().drawn;
  const std::vector<Line>& lines = machines.front().lines;
  const auto bars = bar_places(drawn.roofs, frame);
  const std::string range =
      add_hybrid_range(panel, recorded, drawn, std::exp2(frame.x_from), std::exp2(frame.x_to));
  add_bands(panel, drawn.roofs, lines, bars, drawn.peak.most > 0);
  for (std::size_t i = 1; i < machines.size(); ++i) add_overlay(panel, machines[i]);
  add_roofs(panel, drawn.roofs, lines, bars);
  add_validation(panel, validated);
  if (!recorded.hides("ridge")) add_ridges(panel, drawn.roofs, drawn.ridge_peak);
  std::vector<PointLabel> labels = add_points(panel, points, area_of(frame));
  const bool plus_minus = std::ranges::any_of(machines.front().bandwidths, &LarmLabel::has_plus_minus);
  const std::vector<Roof> with_intervals = without_bounds(drawn.roofs);
  chart.note = interval_note(bands_text(drawn.roofs, bars), with_intervals, plus_minus);
  if (std::ranges::any_of(with_intervals, has_wide_interval))
    chart.note += " Intervals beyond ±100 % are not drawn; more rounds narrow them.";
  if (drawn.peak.most > 0)
    chart.note += " Diamonds: ridge points.";
  else if (view.quantity.rate == flops_quantity.rate)
    chart.note += fmt::format(" No floating-point peak{} is known.",
                              machines.size() > 1 ? " of " + recorded.machine : "");
  if (model::bypasses_caches(recorded.op))
    chart.note +=
        fmt::format(" Caches are no roofs here: the stores of {} go past them.", recorded.op.name());
  if (std::ranges::any_of(drawn.oblique,
                          [](const Roof& roof) { return roof.spec.kind == model::Kind::random; }))
    chart.note += " Random loads: lines of 64 bytes.";
  chart.note += range + bounds_note(drawn.roofs);
  if (machines.size() > 1) chart.note += fmt::format(" Grey dashes: roofs of {}.", machines[1].drawn.machine);
  chart.note += levels_note(points);
  std::vector<std::string> beyond;
  if (std::ranges::any_of(labels, &PointLabel::outside)) beyond.emplace_back("points");
  if (is_any_level_outside(panel, points, area_of(frame))) beyond.emplace_back("levels");
  if (!beyond.empty()) chart.note += fmt::format(" Arrows at the edge: {} beyond it.", list_text(beyond));
  if (is_interval_cut(panel, points, labels) || any_bar_cut(drawn.roofs, bars, frame))
    chart.note += " Bars that reach the frame extend beyond it.";
  return labels;
}

RoofKinds kinds_of(const RooflineView& view) {
  return view.quantity.rate == flops_quantity.rate ? RoofKinds::bandwidths_and_peaks
                                                   : RoofKinds::bandwidths_and_random_loads;
}

}  // namespace

Chart roofline(const Recorded& recorded, int cluster, RooflineView view) {
  std::vector<LabelledRoofs> machines = {
      labelled(drawn_roofs(recorded, cluster, kinds_of(view)), recorded.column)};
  const DrawnRoofs drawn = machines.front().drawn;
  if (drawn.oblique.empty())
    return omitted_chart(view.name, fmt::format("no bandwidth of {} was measured", recorded.op.name()));
  if (DrawnRoofs other = overlaid_roofs(recorded, cluster, kinds_of(view)); !other.oblique.empty())
    machines.push_back(labelled(std::move(other), recorded.column));

  const auto& validations = recorded.roofs.validation;
  number_if_many(view.points.drawn);
  const std::vector<PlacedPoint>& points = view.points.drawn;
  std::vector<Roof> validated;
  if (view.with_validation && !recorded.hides("validation"))
    validated = validation_points(validations, drawn.roofs);
  std::vector<PlacedPoint> shown = places_of(validated);
  const int missing = drawn.missing + static_cast<int>(validated.size() - shown.size());
  const std::string error = shown.empty() ? "" : error_text(validations, drawn.roofs);
  shown.insert(shown.end(), points.begin(), points.end());
  const LarmFrame frame = frame_of_machines(machines, shown, recorded.column);

  Chart chart;
  chart.name = view.name;
  fit_page(chart, frame.area, 20);
  if (recorded.column) chart.width = column_page;
  set_titles(chart, recorded, fmt::format("{} ({})", view.subject, recorded.op.name()), cluster,
             conditions_text(drawn.oblique));
  std::vector<std::string> columns = {"ridge_flop_per_byte", "label",         "point",   "from",
                                      view.quantity.column,  "error_percent", "machine", "binds"};
  columns.insert(columns.end(), view.columns.begin(), view.columns.end());
  chart.table = roof_table(columns);
  for (const LabelledRoofs& machine : machines) add_roof_rows(chart.table, machine, validations);
  add_validation_rows(chart.table, validated);
  add_point_rows(chart.table, points, cluster);

  Panel panel = larm_panel(frame, view.quantity);
  std::vector<PointLabel> names = add_pictures(chart, panel, recorded, machines, frame, validated, view);
  add_labels(chart, panel, machines, frame);
  add_point_labels(chart, panel, points, std::move(names), area_of(frame));
  chart.note += remarks_text(recorded.table_of(chart.name), error, missing, invalid_text(drawn), view);
  chart.note += remark_note(recorded, drawn.roofs, chart.name);
  chart.panels.push_back(std::move(panel));
  if (recorded.column) add_legend_below(chart);
  add_to_legend_below(chart, legend_of(points));
  return chart;
}

}  // namespace gable::charts
