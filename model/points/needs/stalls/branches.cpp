#include "model/points/needs/stalls/branches.hpp"

#include <algorithm>
#include <cmath>

#include "model/points/needs/stalls/latency_at.hpp"
#include "model/points/needs/stalls/waited.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

// A mispredicted branch waits for the load that decides it, if this is a line without an order: the slowest
// of them first.
void add_branches(const Roofs& roofs, const Point& point, int cluster, const std::vector<LevelBytes>& levels,
                  double mispredicted, Waited& sum) {
  for (std::size_t i = levels.size(); i-- > 0 && mispredicted > 0;) {
    const auto [lines, span] = served_by(levels, i, unordered_of);
    const double waits = std::min(mispredicted, lines);
    if (waits > 0) sum.add(waits, latency_of_span(roofs, point, cluster, levels[i].level, span));
    mispredicted -= waits;
  }
}

// The loads of lines without an order that mispredicted branches wait for.
Waited waited_for_branches(const Roofs& roofs, const Point& point, int cluster) {
  Waited sum;
  double of_functions = 0;
  for (const FunctionWork& function : point.functions) {
    const double mispredicted = function.instructions.mispredicted;
    if (!function.levels.empty()) of_functions += mispredicted;
    add_branches(roofs, point, cluster, function.levels, mispredicted, sum);
  }
  if (2 * of_functions >= point.instructions.mispredicted) return sum;
  sum = {};
  add_branches(roofs, point, cluster, point.levels, point.instructions.mispredicted, sum);
  return sum;
}

// What branches cost by themselves. Of the same program, predictors of other sizes mispredict so much more or
// less (docs/programs/counters.md).
void add_own_cost(const MeasuredRange& seconds, const Point& point, double share, int threads, Need& need) {
  constexpr double predictors_differ = 0.2;
  const double part = part_of_busiest(point, share, threads) / point.seconds;
  need.besides = {part * seconds.value, part * seconds.lo * (1 - predictors_differ),
                  part * seconds.hi * (1 + predictors_differ)};
  need.share += need.besides.share;
  need.lo += need.besides.lo;
  need.hi += need.besides.hi;
  need.bytes = std::max(need.bytes, share * point.instructions.flushes() * profile_line_bytes);
}

}  // namespace

std::optional<MeasuredRange> seconds_of_branches(const Roofs& roofs, int cluster,
                                                 const Instructions& instructions) {
  const auto cost = mispredicted_branch(roofs.roofs, cluster);
  if (!cost) return std::nullopt;
  const double clock = cost->clock_ghz > 0 ? cost->clock_ghz : cluster_clock(roofs, cluster);
  const double resolving_ns = clock > 0 ? instructions.resolving_cycles / clock : 0;
  const auto all = [&](double ns) { return 1e-9 * (instructions.flushes() * ns + resolving_ns); };
  return MeasuredRange{all(cost->lo), all(cost->hi), all(cost->value)};
}

std::optional<Need> branch_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  constexpr double wide = 2;
  const Waited waited = waited_for_branches(roofs, point, cluster);
  if (!waited.known) return std::nullopt;
  const auto cost = seconds_of_branches(roofs, cluster, point.instructions);
  if (waited.bytes <= 0 && (!cost || point.instructions.flushes() <= 0)) return std::nullopt;
  const double share = cluster_share(roofs, point);
  Need need = need_of(point, threads, share, waited, Limit::Kind::branches, "mispredicted branches");
  need.lo /= most_at_once;  // loads of the predicted path are under way meanwhile
  need.share = std::sqrt(need.lo * need.hi);
  if (cost) add_own_cost(*cost, point, share, threads, need);
  if (need.lo * wide < need.hi) {
    make_range(need);
    return need;
  }
  for (double* each : {&need.lo, &need.share, &need.hi}) *each = std::min(*each, 1.0);
  return need;
}

}  // namespace gable::model
