#include "model/points/needs/reading.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "model/points/cause.hpp"
#include "model/points/needs/needs.hpp"
#include "model/points/needs/words.hpp"

namespace gable::model {
namespace {

constexpr double bound_from = bound_from_percent / 100;

// The needs that may be the largest, the first one first. `needs` are sorted.
std::vector<Need> candidates_of(const std::vector<Need>& needs) {
  double least = 0;
  for (const Need& need : needs) least = std::max(least, need.lo);
  std::vector<Need> candidates;
  for (const Need& need : needs) {
    const bool is_first = &need == &needs.front();
    if (is_first || (need.hi >= least && need.hi >= bound_from)) candidates.push_back(need);
  }
  return candidates;
}

void set_headroom_of(const std::vector<Need>& needs, Reading& reading) {
  double most = 0, least = 0;
  for (const Need& need : needs) {
    most = std::max(most, need.hi);
    least = std::max(least, need.lo);
  }
  const auto up_to = [](double share) { return share > 0 ? std::max(0.0, 100 / share - 100) : 0; };
  reading.headroom_lo = up_to(most);
  reading.headroom_percent = up_to(needs.front().share);
  reading.headroom_hi = up_to(least);
}

// Functions with a thousandth of the program's bytes or flops.
std::vector<FunctionReading> functions_of(const Roofs& roofs, const Point& point, int cluster,
                                          const MixModel& hybrid) {
  std::vector<FunctionReading> functions;
  for (const FunctionWork& work : point.functions) {
    if (work.levels.empty() || is_small(work, point)) continue;
    const std::vector<Need> needs = needs_of(roofs, point_of(point, work), cluster, hybrid);
    if (needs.empty()) continue;
    const Need& first = needs.front();
    const auto index = static_cast<std::size_t>(&work - point.functions.data());
    functions.push_back(
        {index, first.share, first.lo, first.hi, culprit(first.limit), limited_level(first.limit)});
  }
  std::ranges::stable_sort(functions, std::greater(), &FunctionReading::share);
  return functions;
}

}  // namespace

Reading read_needs(const Roofs& roofs, const Point& point, Reading reading, const MixModel& hybrid) {
  NeedWords words(roofs, point, reading);
  const std::vector<Need> needs = needs_of(roofs, point, reading.cluster, hybrid);
  if (needs.empty()) {
    reading.cause = "has no roof to be compared with: none was measured for what it transfers and computes";
    return reading;
  }
  reading.functions = functions_of(roofs, point, reading.cluster, hybrid);
  const Need& first = needs.front();
  reading.limit = first.limit;
  reading.reached_percent = 100 * first.share;
  if (reading.slowest * first.lo > at_most_of_time) {
    reading.limit = {};
    reading.cause = words.too_much(first);
    return reading;
  }
  const std::vector<Need> candidates = candidates_of(needs);
  set_headroom_of(needs, reading);
  const bool undecided = candidates.size() > 1;
  reading.headroom_known =
      first.share >= far_below_percent / 100 && !undecided && first.limit.kind != Limit::Kind::irregular;
  reading.cause = words.cause(needs, candidates, reading);
  const bool any = first.share >= far_below_percent / 100 || undecided;
  if (!any) {
    reading.limit = {};
  } else {
    reading.roof = first.limit.name;
  }
  return reading;
}

}  // namespace gable::model
