#include "model/points/needs/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/points/needs/fewer_cores.hpp"
#include "model/points/threads.hpp"
#include "model/records/names.hpp"
#include "model/roofs/best.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

// Additions and multiplications take as long as fused ones, which are two flops each.
Limit mixed_peak(const std::vector<Limit>& peaks, double fused) {
  Limit peak = peaks.back();
  const double factor = 1 / (fused + (1 - fused) / (peaks.front().value / peak.value));
  if (fused < 0.5) peak.target = peaks.front().target;
  peak.value *= factor;
  peak.lo *= factor;
  peak.hi *= factor;
  return peak;
}

std::vector<UnitTime> by_percent_of_fma(const Roofs& roofs, const Point& point, int cluster) {
  Point any = point;
  if (point.fma_flops_percent) any.operation = {};
  any.fma_flops_percent.reset();
  const std::vector<Limit> peaks = flop_limits(roofs, any, cluster);
  if (peaks.empty() || point.flops <= 0) return {};
  if (point.fma_flops_percent) return {{mixed_peak(peaks, *point.fma_flops_percent / 100), point.flops}};
  Limit peak = peaks.back();
  if (point.operation.empty()) peak.lo = std::min(peak.lo, peaks.front().lo);
  return {{peak, point.flops}};
}

std::optional<Limit> limit_of_peak(const Roof* roof) {
  if (roof == nullptr) return std::nullopt;
  Limit limit = limit_of(*roof);
  limit.kind = Limit::Kind::flops;
  return limit;
}

// Additions and multiplications share units with fused ones, which are two flops each.
std::optional<Limit> widest_peak(const Roofs& roofs, const Point& point, int cluster, const Arithmetic& work,
                                 int& bits) {
  const auto of = [&](const Operation& op) {
    const Roof* const roof = best_peak(roofs, point, cluster, op, work.precision);
    if (roof != nullptr) bits = 8 * vector_bytes(roof->spec.kernel);
    return limit_of_peak(roof);
  };
  if (const auto own = of(work.op)) return own;
  if (work.op != operations::add && work.op != operations::mul) return std::nullopt;
  if (const auto like = of(work.op == operations::mul ? operations::add : operations::mul)) return like;
  auto fused = of(operations::fma);
  if (fused) {
    for (double* value : {&fused->value, &fused->lo, &fused->hi}) *value /= 2;
  }
  return fused;
}

// Without a peak of this width: the core executes at least as many instructions as of the widest vectors.
std::optional<Limit> scaled_to_width(std::optional<Limit> limit, int bits, const Arithmetic& work) {
  const int own = work.vector_bits > 0 ? work.vector_bits : 8 * row_of(work.precision).bytes;
  if (!limit || bits <= own) return limit;
  limit->value = limit->lo = limit->lo * own / bits;
  limit->interval = true;
  return limit;
}

UnitTime sum_of_unit(const std::vector<UnitTime>& parts) {
  UnitTime all;
  double seconds = 0, least = 0, most = 0, longest = 0;
  for (const auto& [limit, flops] : parts) {
    all.flops += flops;
    seconds += flops / limit.value;
    least += flops / limit.hi;
    most += flops / limit.lo;
    if (flops / limit.value <= longest) continue;
    longest = flops / limit.value;
    all.limit = limit;
  }
  all.limit.value = all.flops / seconds;
  all.limit.lo = all.flops / most;
  all.limit.hi = all.flops / least;
  return all;
}

}  // namespace

Operation scalar_of(const Operation& op) {
  return Operation((op == operations::mul ? operations::add : op).name() + "_scalar");
}

std::optional<Limit> arithmetic_peak(const Roofs& roofs, const Point& point, int cluster,
                                     const Arithmetic& work) {
  const bool is_scalar = work.vector_bits == 0;
  int bits = 0;
  const std::optional<Limit> widest = widest_peak(roofs, point, cluster, work, bits);
  auto limit = limit_of_peak(best_peak(roofs, point, cluster, is_scalar ? scalar_of(work.op) : work.op,
                                       work.precision, work.vector_bits));
  if (!limit) limit = scaled_to_width(widest, bits, work);
  if (!limit) return std::nullopt;
  const bool is_narrow = !is_scalar && widest && bits > work.vector_bits;
  if (is_narrow) limit->times_in_wider = widest->value / limit->value;
  limit->target = fmt::format("{}{} {}",
                              is_scalar   ? "scalar "
                              : is_narrow ? fmt::format("{}-bit ", work.vector_bits)
                                          : "",
                              in_capitals(work.op.name()), row_of(work.precision).words);
  return limit;
}

std::vector<UnitTime> unit_times(const Roofs& roofs, const Point& point, int cluster) {
  std::vector<UnitTime> sums, divisions, units;
  for (const Arithmetic& work : point.arithmetic) {
    if (const auto limit = arithmetic_peak(roofs, point, cluster, work))
      (is_division(work.op) ? divisions : sums).push_back({*limit, work.flops});
  }
  for (const auto& parts : {sums, divisions}) {
    if (!parts.empty()) units.push_back(sum_of_unit(parts));
  }
  if (point.arithmetic.empty()) units = by_percent_of_fma(roofs, point, cluster);
  for (UnitTime& unit : units) keep_cores(roofs, point, cluster, unit.limit);
  return units;
}

}  // namespace gable::model
