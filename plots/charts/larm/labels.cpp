#include "plots/charts/larm/labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/records/names.hpp"
#include "plots/charts/larm/mix_roofs.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

namespace {

std::string value_text(const std::vector<const Roof*>& members, bool brief) {
  const auto [lo, hi] = std::minmax_element(members.begin(), members.end(),
                                            [](auto* a, auto* b) { return a->value < b->value; });
  const std::string least = three_digits((*lo)->value), most = three_digits((*hi)->value);
  if (is_between_bounds(**lo)) {
    const Roof* const lowest = std::ranges::min(members, {}, &Roof::lo);
    return fmt::format("{} to {}", three_digits(lowest->lo), most);
  }
  if (members.size() == 1) return most + (brief ? "" : interval_text(**hi));
  return least == most ? most : fmt::format("{}–{}", least, most);
}

// "ADD, MUL SP; FMA DP"
std::string peaks_text(const std::vector<const Roof*>& members) {
  std::map<std::string, std::set<std::string>> ops;
  for (const Roof* roof : members)
    ops[std::string(row_of(roof->spec.precision).words)].insert(model::in_capitals(roof->spec.op.name()));
  std::string text;
  for (const auto& [precision, names] : ops)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", fmt::join(names, ", "), precision);
  return text;
}

std::string memories_text(const std::vector<const Roof*>& members, bool brief) {
  const model::Case& spec = members.front()->spec;
  const auto nodes = each_of(members, [](const Roof* roof) { return roof->spec.node; });
  const std::string where = has_all_nodes(nodes) && !brief ? nodes_text(nodes) : node_numbers(nodes);
  const model::PatternRow& pattern = row_of(spec.pattern);
  return fmt::format("{} {}, {}", name_of(spec.tier), where, brief ? pattern.brief : pattern.label);
}

std::string label_text(const std::vector<const Roof*>& members, bool brief) {
  const model::Case& spec = members.front()->spec;
  const std::string value = value_text(members, brief);
  if (is_peak(spec.kind)) return fmt::format("{} {}", peaks_text(members), value);
  if (is_between_bounds(*members.front())) return fmt::format("{} {}", spec.op.name(), value);
  if (is_grid(spec.pattern)) {
    const bool interval = brief || members.front()->lo < members.front()->hi;
    return fmt::format("{}: hybrid roof {}{}", spec.op.name(), value, interval ? "" : " (no interval)");
  }
  const std::string where =
      is_memory(spec.level) ? memories_text(members, brief) : name_of(spec, model::Style::level);
  if (spec.kind != model::Kind::random) return fmt::format("{} {}", where, value);
  return fmt::format("{} {} {}", brief ? "random" : "random loads,", where, value);
}

}  // namespace

std::string roof_name(const Roof& roof) {
  const model::Case& spec = roof.spec;
  if (is_between_bounds(roof)) return spec.op.name();
  if (is_grid(spec.pattern)) return spec.op.name() + ": hybrid roof";
  const std::string target = name_of(spec, model::Style::target);
  return spec.kind == model::Kind::random ? "random loads, " + target : target;
}

std::vector<LarmLabel> labels_of(const std::vector<Roof>& roofs, bool flops, std::size_t most, bool brief) {
  std::vector<Labelled> values;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const Roof& roof = roofs[i];
    if (roof.status != Status::ok || is_peak(roof.spec.kind) != flops) continue;
    const model::Case& spec = roof.spec;
    const std::string place = std::string(name_of(spec.kind)) + "/" + spec.level.name() + "/" +
                              name_of(spec.pattern) + "/" + name_of(spec.tier) + "/" + spec.op.name();
    values.push_back({flops ? "peak" : place, roof.value});
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
    label.text = label_text(named, brief);
    label.has_plus_minus = !brief && named.size() == 1 && !is_between_bounds(*named.front()) &&
                           !has_wide_interval(*named.front()) && !interval_text(*named.front()).empty();
    label.y = sum / static_cast<double>(members.size());
    labels.push_back(std::move(label));
  }
  return labels;
}

double widest_label(const std::vector<LarmLabel>& labels) {
  double widest = 0;
  for (const LarmLabel& label : labels) widest = std::max(widest, text_width(label.text));
  return widest;
}

double label_column(const std::vector<LarmLabel>& labels) {
  constexpr double gaps = 20;  // capitals and digits are wider than text_width has them
  return widest_label(labels) + leader_room + gaps;
}

void place_beside_roofs(std::vector<LarmLabel>& labels, const LarmFrame& frame) {
  const double gap = line_height * (frame.y_to - frame.y_from) / frame.area.height;
  const auto wanted = each_of(labels, [&](const LarmLabel& label) { return label.y + frame.x_from; });
  const auto placed = spread(wanted, gap, frame.y_from + gap / 2, frame.y_to - gap / 2);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i].y = placed[i];
}

void place_above_peaks(std::vector<LarmLabel>& labels, const LarmFrame& frame) {
  constexpr double above = 0.7;  // clear of symbols on the line
  const double gap = line_height * (frame.y_to - frame.y_from) / frame.area.height;
  double lowest = frame.y_from;
  sort_by(labels, &LarmLabel::y);
  const std::vector<double> lines = each_of(labels, &LarmLabel::y);
  for (LarmLabel& label : labels) {
    label.y = std::max(label.y + above * gap, lowest);
    for (const double line : lines)  // no other line crosses the text
      if (std::abs(line - label.y) < 0.45 * gap && line + 1.6 * gap < frame.y_to)
        label.y = line + above * gap;
    lowest = label.y + gap;
  }
}

}  // namespace gable::charts
