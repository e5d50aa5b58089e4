// The Locality-Aware Roofline chart of one cluster (LARM paper, section 2): oblique bandwidth roofs,
// horizontal peaks. All geometry is made here, in data coordinates; the script only draws it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/larm/intervals.hpp"
#include "plots/charts/larm/labels.hpp"
#include "plots/charts/larm/points.hpp"
#include "plots/charts/larm/validation.hpp"

namespace gable::cli {

using model::Roof;
using model::Status;

namespace {

Table table_of(const std::vector<Roof>& roofs, const std::vector<LarmLabel>& labels,
               const std::vector<std::optional<double>>& bars, const Frame& frame, const Extremes& bandwidth,
               const Extremes& peak, double ridge_peak) {
  std::vector<std::string> columns = roof_columns();
  for (const char* more :
       {"ridge_flop_per_byte", "x_from", "y_from", "x_to", "y_to", "label", "label_x", "label_y", "side",
        "bar_x", "bar_lo", "bar_hi", "point", "from", "flop_per_byte"}) {
    columns.push_back(more);
  }
  Table table(columns);
  const double leader = leader_room * (frame.x_to - frame.x_from) / roof_width;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    table.add_row();
    set_roof(table, roofs[i]);
    if (roofs[i].status != Status::ok) continue;
    const bool flops = roofs[i].asked.kind == "flops";
    const Line line = line_of(roofs[i], frame, bandwidth, peak);
    if (!flops && ridge_peak > 0) table.set("ridge_flop_per_byte", ridge_peak / roofs[i].value);
    table.set("x_from", std::exp2(line.x_from));
    table.set("y_from", std::exp2(line.y_from));
    table.set("x_to", std::exp2(line.x_to));
    table.set("y_to", std::exp2(line.y_to));
    if (bars[i]) {
      const double x = std::exp2(*bars[i]);
      table.set("bar_x", x);
      table.set("bar_lo", roofs[i].lo * x);
      table.set("bar_hi", roofs[i].hi * x);
    }
    for (const LarmLabel& label : labels) {
      if (std::find(label.roofs.begin(), label.roofs.end(), i) == label.roofs.end()) continue;
      if (label.roofs.front() == i) table.set("label", label.text);
      table.set("label_x", std::exp2(flops ? frame.x_to + leader : frame.x_from - leader));
      table.set("label_y", std::exp2(label.y));
      table.set("side", flops ? 1 : 0);
    }
  }
  return table;
}

// The roof of an application whose data lies in several memories, where a model gives it (section 6.2): a
// line of its own, named after the application.
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

// Two memories that are local to the cluster span the roofs of an application that uses both (section 6.2,
// figure 13). Returns what the note says of it.
std::string tell_hybrid_range(Variables& variables, const std::vector<Roof>& roofs) {
  const Roof *slow = nullptr, *fast = nullptr;
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok || roof.asked.level != "memory" || roof.asked.pattern != "local") continue;
    if (!slow || roof.value < slow->value) slow = &roof;
    if (!fast || roof.value > fast->value) fast = &roof;
  }
  const bool range = slow != fast && slow->value < fast->value;
  variables["range_slow"] = range ? slow->value : 0.0;
  variables["range_fast"] = range ? fast->value : 0.0;
  if (!range) return {};
  return fmt::format(" Shade: roofs of data spread over {} node {} and {} node {}.", slow->asked.tier,
                     slow->asked.node, fast->asked.tier, fast->asked.node);
}

// The points as rows of the table, for who opens it; the picture has them as variables.
void add_rows(Table& table, const std::vector<PlacedPoint>& points, int cluster) {
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

// Bandwidths by value, then peaks; those of applications among them.
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

void tell_frame(Variables& variables, const Frame& frame) {
  frame.canvas.tell(variables);
  variables["x_first"] = std::exp2(frame.x_first);
  variables["x_last"] = std::exp2(frame.x_last);
  variables["octave_from"] = frame.x_from;
  variables["octave_to"] = frame.x_to;
  variables["y_from"] = std::exp2(frame.y_from);
  variables["y_to"] = std::exp2(frame.y_to);
}

bool any_bar_cut(const std::vector<Roof>& roofs, const std::vector<std::optional<double>>& bars,
                 const Frame& frame) {
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    if (!bars[i]) continue;
    if (std::log2(roofs[i].lo) + *bars[i] < frame.y_from || std::log2(roofs[i].hi) + *bars[i] > frame.y_to)
      return true;
  }
  return false;
}

// What the intervals are drawn as.
std::string bands_text(const std::vector<Roof>& roofs, const std::vector<std::optional<double>>& bars) {
  bool any_band = false, any_bar = false;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    any_bar = any_bar || bars[i];
    any_band = any_band || (roofs[i].status == Status::ok && roofs[i].lo < roofs[i].hi && !bars[i]);
  }
  if (!any_bar) return "Bands";
  return any_band ? "Bands and bars" : "Bars";
}

// What the note says of validation and of what is not in the picture.
std::string remarks_text(const std::string& chart, bool is_validated, int missing, int without_place) {
  std::string note;
  if (is_validated) {
    note +=
        " Small open circles: validation by programs; error: their RMS to the roof, in brackets by the LARM "
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
  const bool plain_load = recorded.op == "load";
  Chart chart{
      fmt::format("larm-{}{}", cluster, plain_load ? "" : "-" + recorded.op), "larm.gp", Table({}), {}, {}};
  const std::vector<Roof> roofs = roofs_of_chart(recorded, cluster);
  Extremes bandwidth, peak;
  double ridge_peak = 0;  // double precision where it was measured
  int missing = 0;
  std::vector<Roof> oblique;
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok) {
      ++missing;
    } else if (roof.asked.kind == "bandwidth") {
      bandwidth.see(roof.value);
      oblique.push_back(roof);
    } else {
      peak.see(roof.value);
      if (roof.asked.precision == "dp") ridge_peak = std::max(ridge_peak, roof.value);
    }
  }
  if (oblique.empty()) {
    chart.omitted = fmt::format("no bandwidth of {} that could be measured", recorded.op);
    return chart;
  }
  if (ridge_peak == 0) ridge_peak = peak.most;

  constexpr std::size_t most_labels = 36;
  const auto& validations = recorded.roofs.validation;
  auto left = labels_of(roofs, false, most_labels, validations);
  auto right = labels_of(roofs, true, most_labels, validations);
  const ClusterPoints points = points_of_cluster(recorded, cluster);
  const std::vector<Roof> validated = validation_points(validations, roofs);
  std::vector<PlacedPoint> shown = places_of(validated);
  missing += static_cast<int>(validated.size() - shown.size());
  const bool is_validated = !shown.empty();
  shown.insert(shown.end(), points.drawn.begin(), points.drawn.end());
  const Frame frame = frame_of(bandwidth, peak, label_column(left), label_column(right), shown);
  place_labels(left, frame, frame.x_from);
  place_labels(right, frame, 0);
  left.insert(left.end(), right.begin(), right.end());
  const auto bars = bar_places(roofs, frame);
  chart.table = table_of(roofs, left, bars, frame, bandwidth, peak, ridge_peak);

  add_validation_rows(chart.table, validated);
  add_rows(chart.table, points.drawn, cluster);
  const EdgesOfPoints edges = tell_points(chart.variables, points.drawn, area_of(frame));
  set_titles(chart.variables, recorded, fmt::format("Locality-Aware Roofline ({})", recorded.op), cluster,
             conditions_text(oblique));
  tell_frame(chart.variables, frame);
  chart.variables["rows"] = static_cast<double>(chart.table.rows());
  chart.variables["peaks"] = peak.most > 0 ? 1.0 : 0.0;
  chart.variables["ridge_peak"] = ridge_peak;
  const bool plus_minus = std::ranges::any_of(
      left, [](const LarmLabel& label) { return label.text.find("±") != std::string::npos; });
  std::string note = interval_note(bands_text(roofs, bars), roofs, plus_minus);
  note += peak.most > 0 ? " Circles: ridge points." : " No floating-point peak is known.";
  note += tell_hybrid_range(chart.variables, roofs);
  if (edges.any_outside) note += " Arrows at the edge: points beyond it.";
  if (edges.any_interval_cut || any_bar_cut(roofs, bars, frame))
    note += " Strokes that reach the frame go on beyond it.";
  note += remarks_text(chart.name, is_validated, missing, points.without_place);
  chart.variables["note_text"] = note;
  return chart;
}

}  // namespace gable::cli
