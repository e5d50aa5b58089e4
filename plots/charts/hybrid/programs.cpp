#include "plots/charts/hybrid/panels.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/words.hpp"
#include "model/hybrid/everywhere.hpp"
#include "model/hybrid/phases.hpp"
#include "model/points/threads.hpp"
#include "plots/charts/larm/points/points.hpp"

namespace gable::charts {

using model::Quantities;
using model::Transfer;

namespace {

// The bytes that the point moves at memory level; those of its instructions if nothing better is known.
double memory_bytes(const model::Point& point) {
  if (!point.levels.empty() && is_memory(point.levels.back().level))
    return point.levels.back().read + point.levels.back().written;
  double bytes = 0;
  if (point.access_source != model::AccessSource::samples) {  // which tell shares alone
    for (const model::NodeAccess& access : point.access) bytes += access.load + access.store;
  }
  return bytes > 0 ? bytes : point.load_bytes + point.store_bytes;
}

std::optional<double> gb_per_s_of(const model::HybridFit& fit, const Quantities& shares) {
  Quantities bytes = shares;
  for (double& each : bytes) each *= 1e9;
  return model::predict(fit, bytes).gb_per_s();
}

// The first of two, or of the other one where it is of no bytes.
double share_or(double part, double whole, double otherwise) {
  return whole > 0 ? part / whole : otherwise;
}

}  // namespace

double HybridPoint::fast_percent() const {
  return 100 * (on.shares[Transfer::lf] + on.shares[Transfer::sf]) / model::total(on.shares);
}

double HybridPoint::load_percent() const {
  return 100 * model::share_of_loads(on.shares);
}

std::optional<double> HybridPoint::with_fast(double percent) const {
  const Quantities& q = on.shares;
  const double slow = 1 - percent / 100, fast = percent / 100, loads = load_percent() / 100;
  const double loads_slow = share_or(q[Transfer::ls], q[Transfer::ls] + q[Transfer::ss], loads);
  const double loads_fast = share_or(q[Transfer::lf], q[Transfer::lf] + q[Transfer::sf], loads);
  return gb_per_s_of(
      on.fit, {{slow * loads_slow, slow * (1 - loads_slow), fast * loads_fast, fast * (1 - loads_fast)}});
}

std::optional<double> HybridPoint::with_loads(double percent) const {
  const Quantities& q = on.shares;
  const double loads = percent / 100, stores = 1 - percent / 100, fast = fast_percent() / 100;
  const double fast_loads = share_or(q[Transfer::lf], q[Transfer::ls] + q[Transfer::lf], fast);
  const double fast_stores = share_or(q[Transfer::sf], q[Transfer::ss] + q[Transfer::sf], fast);
  return gb_per_s_of(on.fit, {{loads * (1 - fast_loads), stores * (1 - fast_stores), loads * fast_loads,
                               stores * fast_stores}});
}

std::string HybridPoint::distance_text() const {
  if (!model) return "the model does not give its mix: " + reason;
  const double percent = 100 * (gb_per_s / *model - 1);
  const std::string of = on.estimated ? "the estimate" : "the model";
  if (std::abs(percent) < 0.5) return "at " + of;
  return fmt::format("{} {} {}", percent_text(std::abs(percent)), percent < 0 ? "below" : "above", of);
}

std::vector<HybridPoint> points_on(const Recorded& recorded, const model::HybridPair& pair) {
  std::vector<HybridPoint> points;
  for (std::size_t i = 0; i < recorded.points.size(); ++i) {
    const model::Point& point = recorded.points[i];
    if (!is_on_chart(recorded, i, pair.cluster) || (point.cluster >= 0 && !point.alone)) continue;
    if (point.cluster < 0 && !pair.all_clusters && model::fitted_everywhere(recorded.hybrid, pair)) continue;
    const auto on = model::on_pair(recorded.roofs, point, pair);
    const double bytes = memory_bytes(point) * model::cluster_share(recorded.roofs, point);
    if (!on || bytes <= 0) continue;
    HybridPoint drawn;
    drawn.index = i;
    drawn.on = *on;
    drawn.gb_per_s = bytes / point.seconds / 1e9;
    drawn.lo = bytes / point.seconds_hi / 1e9;
    drawn.hi = bytes / point.seconds_lo / 1e9;
    Quantities all = on->shares;
    for (double& each : all) each *= 1e9;
    const model::Prediction predicted = model::predict(on->fit, all);
    drawn.model = predicted.gb_per_s();
    drawn.reason = predicted.reason;
    points.push_back(std::move(drawn));
  }
  return points;
}

}  // namespace gable::charts
