#include <fmt/format.h>

#include <algorithm>

#include "model/points/limits/limits.hpp"
#include "model/points/threads.hpp"
#include "model/roofs/best.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

// Flops of unknown precision are taken for doubles until they are too fast for that.
void drop_low_sp(std::vector<Limit>& limits) {
  double dp = 0;
  for (const Limit& limit : limits) {
    if (limit.precision == Precision::dp) dp = std::max(dp, limit.value);
  }
  std::erase_if(limits,
                [&](const Limit& limit) { return limit.precision == Precision::sp && limit.value <= dp; });
}

// A Point that executes mostly FMAs, or only additions or multiplications, keeps the peak of these, if it
// is known.
void keep_own_operation(const Point& point, std::vector<Limit>& limits) {
  constexpr double mostly = 50;  // per cent
  const Operation own = point.fma_flops_percent.value_or(0) > mostly ? operations::fma : point.operation;
  const auto is_own = [&](const Limit& limit) { return limit.op == own; };
  if (!own.empty() && std::ranges::any_of(limits, is_own))
    std::erase_if(limits, [&](const Limit& limit) { return !is_own(limit); });
}

}  // namespace

const Roof* best_peak(const Roofs& roofs, const Point& point, int cluster, const Operation& op,
                      Precision precision, int vector_bits) {
  const int cores = cores_used(roofs, point, cluster);
  const auto fits = [&](const Case& spec) {
    const int bits = 8 * vector_bytes(spec.kernel);
    return is_peak(spec.kind) && spec.cluster == cluster && spec.op == op && spec.precision == precision &&
           (vector_bits == 0 || bits == 0 || bits == vector_bits);
  };
  const int threads = judging_threads(roofs, cluster, cores, fits);
  return best(roofs.roofs, [&](const Roof& roof) {
    return fits(roof.spec) && has_threads(roof, cores) && (threads == 0 || roof.spec.threads == threads);
  });
}

std::vector<Limit> flop_limits(const Roofs& roofs, const Point& point, int cluster) {
  std::vector<Limit> limits;
  for (const Operation& op : {operations::add, operations::mul, operations::fma}) {
    for (const Precision precision : {Precision::dp, Precision::sp}) {
      if (is_known(point.precision) && point.precision != precision) continue;
      const Roof* best = best_peak(roofs, point, cluster, op, precision);
      if (best == nullptr) continue;
      Limit limit = limit_of(*best);
      limit.kind = Limit::Kind::flops;
      limits.push_back(limit);
    }
  }
  if (point.precision == Precision::none) drop_low_sp(limits);
  keep_own_operation(point, limits);
  ascending(limits);
  return limits;
}

}  // namespace gable::model
