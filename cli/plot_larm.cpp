// The Locality-Aware Roofline chart of one cluster (LARM paper, section 2): oblique bandwidth roofs,
// horizontal peaks. All geometry is made here, in data coordinates; the script only draws it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/plot_chart.hpp"
#include "cli/plot_labels.hpp"
#include "cli/plot_points.hpp"
#include "cli/plot_text.hpp"

namespace gable::cli {

using model::Roof;
using model::Status;

namespace {

constexpr double leader_room = 44;  // between a label and the end of its roof, in points

// The axes, as base-2 logarithms. Roofs are drawn in [x_from, x_to]; what is outside belongs to the labels.
struct Frame {
  Canvas canvas{};
  double x_from = 0, x_to = 0, y_from = 0, y_to = 0;
  double x_first = 0, x_last = 0;  // of the axis, label columns included
};

struct Label {
  std::string text;
  std::vector<std::size_t> roofs;
  double y = 0;  // log2
};

std::string op_name(const std::string& op) {
  std::string name = op;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

std::string value_text(const std::vector<const Roof*>& members) {
  const auto [lo, hi] = std::minmax_element(members.begin(), members.end(),
                                            [](auto* a, auto* b) { return a->value < b->value; });
  const std::string least = three_digits((*lo)->value), most = three_digits((*hi)->value);
  const std::string unit = (*hi)->unit;
  if (members.size() == 1) return most + " " + unit + interval_text(**hi);
  return least == most ? most + " " + unit : fmt::format("{}–{} {}", most, least, unit);
}

std::string label_text(const std::vector<const Roof*>& members) {
  const model::Case& asked = members.front()->asked;
  if (asked.kind == "flops") {
    std::vector<std::string> ops;
    for (const Roof* roof : members) ops.push_back(op_name(roof->asked.op));
    std::sort(ops.begin(), ops.end());
    return fmt::format("{} {} {}", fmt::join(ops, ", "), op_name(asked.precision), value_text(members));
  }
  if (asked.pattern == "hybrid") return fmt::format("{}: hybrid roof {}", asked.op, value_text(members));
  if (asked.level != "memory") return level_text(asked) + " " + value_text(members);
  std::vector<int> nodes;
  for (const Roof* roof : members) nodes.push_back(roof->asked.node);
  return fmt::format("{} {}, {} {}", asked.tier, nodes_text(nodes), pattern_text(asked.pattern),
                     value_text(members));
}

std::vector<Label> labels_of(const std::vector<Roof>& roofs, bool flops, std::size_t most) {
  std::vector<Labelled> values;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const Roof& roof = roofs[i];
    if (roof.status != Status::ok || (roof.asked.kind == "flops") != flops) continue;
    const model::Case& asked = roof.asked;
    const std::string place = asked.level + "/" + asked.pattern + "/" + asked.tier + "/" + asked.op;
    values.push_back({flops ? asked.precision : place, roof.value});
    index.push_back(i);
  }
  std::vector<Label> labels;
  for (const auto& members : group_at_most(values, most)) {
    Label label;
    std::vector<const Roof*> named;
    double sum = 0;
    for (const std::size_t member : members) {
      label.roofs.push_back(index[member]);
      named.push_back(&roofs[index[member]]);
      sum += std::log2(values[member].value);
    }
    label.text = label_text(named);
    label.y = sum / static_cast<double>(members.size());
    labels.push_back(std::move(label));
  }
  return labels;
}

struct Extremes {
  double least = std::numeric_limits<double>::max(), most = 0;
  void see(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

double label_column(const std::vector<Label>& labels) {
  double widest = 0;
  for (const Label& label : labels) widest = std::max(widest, text_width(label.text));
  return labels.empty() ? 10 : widest + leader_room + 10;
}

// Axes that show every ridge point with room on both sides, powers of two at both ends.
Frame frame_of(const Extremes& bandwidth, const Extremes& peak, const std::vector<Label>& left,
               const std::vector<Label>& right, const std::vector<PlacedPoint>& points) {
  constexpr double roof_width = 640, y_margin = 0.6;
  Frame frame;
  const double left_column = label_column(left), right_column = label_column(right);
  frame.canvas = {76 + left_column + roof_width + right_column + 14, 840, 76, 14, 84, 92};
  frame.x_from = -5;  // without peaks there are no ridges to show
  frame.x_to = 0;
  if (peak.most > 0) {
    frame.x_from = std::min(-5.0, std::floor(std::log2(peak.most / bandwidth.most)) - 3);
    frame.x_to = std::max(3.0, std::floor(std::log2(peak.most / bandwidth.least)) + 1);
  }
  for (const PlacedPoint& point : points) {
    frame.x_from = std::min(frame.x_from, std::floor(std::log2(point.flop_per_byte)) - 1);
    frame.x_to = std::max(frame.x_to, std::ceil(std::log2(point.flop_per_byte)) + 1);
  }
  const double octave = roof_width / (frame.x_to - frame.x_from);
  frame.x_first = frame.x_from - left_column / octave;
  frame.x_last = frame.x_to + right_column / octave;
  const double top = peak.most > 0 ? std::log2(peak.most) : std::log2(bandwidth.most) + frame.x_to;
  frame.y_from = std::log2(bandwidth.least) + frame.x_from - y_margin;
  frame.y_to = top + y_margin;
  for (const PlacedPoint& point : points) {
    frame.y_from = std::min(frame.y_from, std::log2(point.lo) - 1);
    frame.y_to = std::max(frame.y_to, std::log2(point.hi) + 1);
  }
  if (frame.y_from < std::log2(0.01)) {  // longer numbers beside the axis
    frame.canvas.left += 16;
    frame.canvas.width += 16;
  }
  return frame;
}

void place(std::vector<Label>& labels, const Frame& frame, double shift) {
  const double gap = line_height * (frame.y_to - frame.y_from) / frame.canvas.plot_height();
  std::vector<double> wanted;
  for (const Label& label : labels) wanted.push_back(label.y + shift);
  const auto placed = spread(wanted, gap, frame.y_from + gap / 2, frame.y_to - gap / 2);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i].y = placed[i];
}

struct Line {
  double x_from, y_from, x_to, y_to;  // log2
};

Line line_of(const Roof& roof, const Frame& frame, const Extremes& bandwidth, const Extremes& peak) {
  const double value = std::log2(roof.value);
  if (roof.asked.kind == "flops") {
    return {std::max(frame.x_from, value - std::log2(bandwidth.most)), value, frame.x_to, value};
  }
  const double end = peak.most > 0 ? std::log2(peak.most) - value : frame.x_to;
  return {frame.x_from, value + frame.x_from, end, value + end};
}

Table table_of(const std::vector<Roof>& roofs, const std::vector<Label>& labels, const Frame& frame,
               const Extremes& bandwidth, const Extremes& peak, double ridge_peak) {
  std::vector<std::string> columns = roof_columns();
  for (const char* more : {"ridge_flop_per_byte", "x_from", "y_from", "x_to", "y_to", "label", "label_x",
                           "label_y", "side", "point", "flop_per_byte"}) {
    columns.push_back(more);
  }
  Table table(columns);
  const double leader = leader_room * (frame.x_to - frame.x_from) / 640;
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
    for (const Label& label : labels) {
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
    table.set("flop_per_byte", point.flop_per_byte);
    table.set("value", point.gflop_per_s);
    table.set("lo", point.lo);
    table.set("hi", point.hi);
    table.set("unit", "GFlop/s");
  }
}

PointArea area_of(const Frame& frame) {
  return {frame.x_from,
          frame.x_to,
          frame.y_from,
          frame.y_to,
          frame.canvas.plot_width() / (frame.x_last - frame.x_first),
          frame.canvas.plot_height() / (frame.y_to - frame.y_from)};
}

}  // namespace

Chart larm_chart(const Recorded& recorded, int cluster) {
  const bool plain_load = recorded.op == "load";
  Chart chart{
      fmt::format("larm-{}{}", cluster, plain_load ? "" : "-" + recorded.op), "larm.gp", Table({}), {}, {}};
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
  auto left = labels_of(roofs, false, most_labels), right = labels_of(roofs, true, most_labels);
  const ClusterPoints points = points_of_cluster(recorded, cluster);
  const Frame frame = frame_of(bandwidth, peak, left, right, points.drawn);
  place(left, frame, frame.x_from);
  place(right, frame, 0);
  left.insert(left.end(), right.begin(), right.end());
  chart.table = table_of(roofs, left, frame, bandwidth, peak, ridge_peak);

  add_rows(chart.table, points.drawn, cluster);
  tell_points(chart.variables, points.drawn, area_of(frame));
  set_titles(chart.variables, recorded, fmt::format("Locality-Aware Roofline ({})", recorded.op), cluster,
             conditions_text(oblique));
  frame.canvas.tell(chart.variables);
  chart.variables["rows"] = static_cast<double>(chart.table.rows());
  chart.variables["x_first"] = std::exp2(frame.x_first);
  chart.variables["x_last"] = std::exp2(frame.x_last);
  chart.variables["octave_from"] = frame.x_from;
  chart.variables["octave_to"] = frame.x_to;
  chart.variables["y_from"] = std::exp2(frame.y_from);
  chart.variables["y_to"] = std::exp2(frame.y_to);
  chart.variables["peaks"] = peak.most > 0 ? 1.0 : 0.0;
  chart.variables["ridge_peak"] = ridge_peak;
  std::string note = interval_note("Bands", roofs);
  note += peak.most > 0 ? " Circles: ridge points." : " No floating-point peak is known.";
  note += tell_hybrid_range(chart.variables, roofs);
  if (missing > 0)
    note += fmt::format(" Not drawn: {} skipped or invalid, reasons in {}.tsv.", missing, chart.name);
  if (points.without_place > 0)
    note += fmt::format(" {} point{} without flops or bytes.", points.without_place,
                        points.without_place == 1 ? "" : "s");
  chart.variables["note_text"] = note;
  return chart;
}

}  // namespace gable::cli
