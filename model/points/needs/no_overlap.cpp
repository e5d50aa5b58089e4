#include "model/points/needs/no_overlap.hpp"

#include <algorithm>

#include "model/points/binding.hpp"
#include "model/points/kernel_time.hpp"

namespace gable::model {
namespace {

// Prefetchers of the hardware expect lines in order.
bool comes_in_order(const LevelBytes& level) {
  constexpr double few = 0.1;
  return level.irregular + level.chained <= few * level.read;
}

}  // namespace

NoOverlap without_overlap(const std::vector<Need>& needs, const std::vector<LevelBytes>& levels) {
  NoOverlap sum;
  double memory = 0, branches = 0;
  for (const Need& need : needs) {
    if (limited_part(need.limit) == LimitPart::core) sum.computing = std::max(sum.computing, need.share);
    if (limited_part(need.limit) == LimitPart::transfer) {
      sum.transfers += need.share;
      if (need.limit.kind != Limit::Kind::cache) memory += need.share;
    }
    branches += need.besides.share;
  }
  sum.computing += branches;
  if (!levels.empty() && comes_in_order(levels.back())) sum.saved = std::min(sum.computing, memory);
  return sum;
}

PointWithoutOverlap without_overlap(const Point& point, const Reading& reading) {
  constexpr double worth_a_word = 0.15;
  PointWithoutOverlap sum;
  double most = 0;
  for (const FunctionReading& each : reading.functions) {
    sum.computing += each.no_overlap.computing;
    sum.transfers += each.no_overlap.transfers;
    sum.saved += each.no_overlap.saved;
    if (each.no_overlap.saved <= most) continue;
    most = each.no_overlap.saved;
    sum.function = each.function;
  }
  const double own = 1 - kernel_share(point);
  const bool explains = sum.computing + sum.transfers >= bound_from_percent / 100 * own;
  if (!explains || sum.saved < worth_a_word * own) sum.saved = 0;
  return sum;
}

}  // namespace gable::model
