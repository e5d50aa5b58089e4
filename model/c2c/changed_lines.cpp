#include "model/c2c/changed_lines.hpp"

#include <algorithm>

namespace gable::model {
namespace {

bool is_between_clusters(const PairClass& between) {
  return between.relation > Relation::node;
}

std::optional<Estimate> of_classes(const std::vector<C2cClassFigure>& classes, bool between_clusters) {
  std::vector<double> values;
  Estimate all;
  for (const C2cClassFigure& each : classes) {
    const bool counts = each.measure == C2cMeasure::handoff && each.between.relation != Relation::core &&
                        is_between_clusters(each.between) == between_clusters &&
                        (each.home == Home::both || each.home == Home::first);
    if (!counts) continue;
    all.lo = values.empty() ? each.estimate.lo : std::min(all.lo, each.estimate.lo);
    all.hi = std::max(all.hi, each.estimate.hi);
    all.n += each.estimate.n;
    values.push_back(each.estimate.value);
  }
  if (values.empty()) return std::nullopt;
  all.value = median(values);
  return all;
}

}  // namespace

void add_changed_lines(const std::vector<C2cClassFigure>& classes, Roofs& roofs) {
  roofs.line_in_cluster = of_classes(classes, false);
  roofs.line_between_clusters = of_classes(classes, true);
}

std::optional<Estimate> changed_line(const Roofs& roofs, int cluster, int clusters) {
  const auto &own = roofs.line_in_cluster, &other = roofs.line_between_clusters;
  if (cluster >= 0 || !other) return own;
  if (!own) return other;
  const double part = 1.0 / std::max(1, clusters);
  return Estimate{part * own->value + (1 - part) * other->value, own->lo, other->hi, own->n + other->n};
}

}  // namespace gable::model
