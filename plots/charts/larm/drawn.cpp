#include "plots/charts/larm/drawn.hpp"

#include <algorithm>
#include <set>

#include "model/records/profile.hpp"
#include "plots/charts/larm/labels.hpp"
#include "plots/charts/larm/mix_roofs.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

namespace {

bool is_roof_of(const Recorded& recorded, const model::Case& spec, int cluster, RoofKinds kinds) {
  if (spec.cluster != cluster) return false;
  if (spec.kind == model::Kind::bandwidth) return spec.op == recorded.op && makes_roof(spec.pattern);
  return kinds == RoofKinds::bandwidths_and_random_loads ? spec.kind == model::Kind::random
                                                         : is_peak(spec.kind) && !is_slow(spec.op);
}

std::vector<Roof> roofs_of_cluster(const Recorded& recorded, const model::Roofs& roofs, int cluster,
                                   RoofKinds kinds) {
  std::vector<Roof> best = model::best_of_each(
      roofs.roofs, [&](const Roof& roof) { return is_roof_of(recorded, roof.spec, cluster, kinds); });
  for (Roof& roof : best) {
    if (roof.spec.kind != model::Kind::random) continue;
    constexpr double million_lines = 1e6 * model::profile_line_bytes / 1e9;  // in GB
    for (double* value : {&roof.value, &roof.lo, &roof.hi}) *value *= million_lines;
    roof.unit = unit_of(model::Kind::bandwidth);
  }
  return best;
}

// Without those that are hidden, sorted, with what follows from them.
DrawnRoofs drawn_of(const Recorded& recorded, const std::string& machine, std::vector<Roof> roofs) {
  DrawnRoofs drawn;
  drawn.machine = machine;
  std::erase_if(roofs, [&](const Roof& roof) { return recorded.hides(drawn.name_of(roof)); });
  std::ranges::stable_sort(roofs, [](const Roof& a, const Roof& b) {
    if (a.spec.kind != b.spec.kind) return a.spec.kind < b.spec.kind;
    return a.value > b.value;
  });
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok) {
      ++drawn.missing;
    } else if (!is_peak(roof.spec.kind)) {
      drawn.bandwidth.see(roof.value);
      if (is_between_bounds(roof)) drawn.bandwidth.see(roof.lo);
      drawn.oblique.push_back(roof);
    } else {
      drawn.peak.see(roof.value);
      if (roof.spec.precision == model::Precision::dp)
        drawn.ridge_peak = std::max(drawn.ridge_peak, roof.value);
    }
  }
  if (drawn.ridge_peak == 0) drawn.ridge_peak = drawn.peak.most;
  drawn.roofs = std::move(roofs);
  return drawn;
}

}  // namespace

Style DrawnRoofs::style_of(const Roof& roof) const {
  return machine.empty() ? roof_style(roof.spec) : overlay_style();
}

std::string DrawnRoofs::name_of(const Roof& roof) const {
  return machine.empty() ? roof_name(roof) : machine + ": " + roof_name(roof);
}

DrawnRoofs drawn_roofs(const Recorded& recorded, int cluster, RoofKinds kinds) {
  std::vector<Roof> roofs = roofs_of_cluster(recorded, recorded.roofs, cluster, kinds);
  const std::vector<Roof> applications = mix_roofs(recorded, cluster);
  roofs.insert(roofs.end(), applications.begin(), applications.end());
  return drawn_of(recorded, "", std::move(roofs));
}

DrawnRoofs overlaid_roofs(const Recorded& recorded, int cluster, RoofKinds kinds) {
  if (!recorded.overlay) return {};
  const model::Roofs& roofs = recorded.overlay->roofs;
  std::set<int> clusters;
  for (const Roof& roof : roofs.roofs) clusters.insert(roof.spec.cluster);
  if (!clusters.contains(cluster) && !clusters.empty()) cluster = *clusters.begin();
  return drawn_of(recorded, recorded.overlay->machine, roofs_of_cluster(recorded, roofs, cluster, kinds));
}

}  // namespace gable::charts
