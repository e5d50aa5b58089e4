#include "plots/charts/larm/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plots/charts/labels.hpp"
#include "plots/charts/larm/validation.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

namespace {

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
  return least == most ? most + " " + unit : fmt::format("{}–{} {}", least, most, unit);
}

std::string label_text(const std::vector<const Roof*>& members) {
  const model::Case& asked = members.front()->asked;
  if (asked.kind == "flops") {
    std::vector<std::string> ops;
    for (const Roof* roof : members) ops.push_back(op_name(roof->asked.op));
    std::sort(ops.begin(), ops.end());
    return fmt::format("{} {} {}", fmt::join(ops, ", "), op_name(asked.precision), value_text(members));
  }
  if (asked.pattern == "hybrid") {
    const bool interval = members.front()->lo < members.front()->hi;
    return fmt::format("{}: hybrid roof {}{}", asked.op, value_text(members),
                       interval ? "" : " (no interval)");
  }
  if (asked.level != "memory") return level_text(asked) + " " + value_text(members);
  std::vector<int> nodes;
  for (const Roof* roof : members) nodes.push_back(roof->asked.node);
  return fmt::format("{} {}, {} {}", asked.tier, nodes_text(nodes), pattern_text(asked.pattern),
                     value_text(members));
}

}  // namespace

std::string roof_name(const Roof& roof) {
  const model::Case& asked = roof.asked;
  if (asked.kind == "flops") return op_name(asked.op) + " " + op_name(asked.precision);
  if (asked.pattern == "hybrid") return asked.op + ": hybrid roof";
  return target_text(asked);
}

std::vector<LarmLabel> labels_of(const std::vector<Roof>& roofs, bool flops, std::size_t most,
                                 const std::vector<model::Validation>& validations) {
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
  std::vector<LarmLabel> labels;
  for (const auto& members : group_at_most(values, most)) {
    LarmLabel label;
    std::vector<const Roof*> named;
    double sum = 0;
    for (const std::size_t member : members) {
      label.roofs.push_back(index[member]);
      named.push_back(&roofs[index[member]]);
      sum += std::log2(values[member].value);
    }
    label.text = label_text(named) + error_text(validations, named);
    label.y = sum / static_cast<double>(members.size());
    labels.push_back(std::move(label));
  }
  return labels;
}

double label_column(const std::vector<LarmLabel>& labels) {
  double widest = 0;
  for (const LarmLabel& label : labels) widest = std::max(widest, text_width(label.text));
  return labels.empty() ? 10 : widest + leader_room + 10;
}

void place_labels(std::vector<LarmLabel>& labels, const LarmFrame& frame, double shift) {
  const double gap = line_height * (frame.y_to - frame.y_from) / frame.area.height;
  std::vector<double> wanted;
  for (const LarmLabel& label : labels) wanted.push_back(label.y + shift);
  const auto placed = spread(wanted, gap, frame.y_from + gap / 2, frame.y_to - gap / 2);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i].y = placed[i];
}

}  // namespace gable::charts
