#include "model/points/needs/reading.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/points/needs/needs.hpp"
#include "model/points/needs/stalls/waited.hpp"
#include "model/points/needs/uncounted_code.hpp"
#include "model/points/needs/words.hpp"
#include "model/points/verdict_words.hpp"

namespace gable::model {
namespace {

constexpr double bound_from = bound_from_percent / 100;

// The needs that may be the largest and bind; the first one if none may. `needs` are sorted. Where smaller
// needs may bind only by the intervals of their roofs, the largest comes before them.
std::vector<Need> candidates_of(const std::vector<Need>& needs) {
  double least = 0;
  for (const Need& need : needs) least = std::max(least, need.lo);
  const auto may_bind = [&](const Need& need) { return need.hi >= least && need.hi >= bound_from; };
  std::vector<Need> candidates = those(needs, may_bind);
  if (!may_bind(needs.front()) && std::ranges::all_of(candidates, is_by_interval))
    candidates.insert(candidates.begin(), needs.front());
  return candidates;
}

// No need takes more than the time. Where the interval of one allows less, nothing better is known than that
// it is in this interval.
void keep_to_time(std::vector<Need>& needs) {
  for (Need& need : needs) {
    if (need.share <= at_most_of_time) continue;
    if (need.lo < bound_from) {
      make_range(need);
    } else {
      need.hi = need.share = std::max(1.0, need.lo);
    }
  }
}

// What a function needs beyond the time that it was measured to take is wrong in the program's needs, too.
void keep_to_functions(const std::vector<FunctionReading>& functions, std::vector<Need>& needs) {
  for (const FunctionReading& each : functions) {
    if (!each.measured || each.measured->verdict != FunctionVerdict::contradiction) continue;
    const auto need =
        std::ranges::find(needs, each.what, [](const Need& of) { return short_culprit(of.limit); });
    if (need == needs.end()) continue;
    const auto beyond = [&](double of) { return of - each.within_time(of); };
    need->lo = std::max(0.0, need->lo - beyond(each.lo));
    need->share = std::max(need->lo, need->share - beyond(each.share));
    need->hi = std::max(need->share, need->hi - beyond(each.hi));
    need->is_sooner = need->limit.kind == Limit::Kind::irregular;
  }
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

// Whether the intervals of the roofs leave a headroom that is no figure: they allow less than half of the
// need.
bool is_wide_open(const std::vector<Need>& needs, const Need& first) {
  double least = 0;
  for (const Need& need : needs) least = std::max(least, need.lo);
  return least < first.share / 2;
}

// All functions at their roofs.
void set_headroom_in_turns(Reading& reading) {
  double share = 0, lo = 0, hi = 0;
  for (const FunctionReading& each : reading.functions) {
    share += each.within_time(each.share);
    lo += each.within_time(each.lo);
    hi += each.within_time(each.hi);
  }
  const auto up_to = [](double part) { return std::max(0.0, 100 / part - 100); };
  reading.headroom_percent = up_to(share);
  reading.headroom_lo = up_to(hi);
  reading.headroom_hi = up_to(lo);
}

// Functions with a thousandth of the program's work or time.
std::vector<FunctionReading> functions_of(const Roofs& roofs, const Point& point, int cluster,
                                          const MixModel& hybrid) {
  std::vector<FunctionReading> functions;
  for (const FunctionWork& work : point.functions) {
    if (work.levels.empty() || is_small(work, point)) continue;
    const std::vector<Need> needs = needs_of(roofs, point_of(point, work), cluster, hybrid);
    if (needs.empty()) continue;
    const Need first = candidates_of(needs).front();
    const auto index = static_cast<std::size_t>(&work - point.functions.data());
    functions.push_back(
        {index, first.share, first.lo, first.hi, short_culprit(first.limit), limited_level(first.limit),
         explained_time(point, work, first.share, first.lo, first.hi), without_overlap(needs, work.levels)});
  }
  sort_with(functions, [](const FunctionReading& a, const FunctionReading& b) {
    return a.within_time(a.share) > b.within_time(b.share);
  });
  return functions;
}

}  // namespace

Reading read_needs(const Roofs& roofs, const Point& point, Reading reading, const MixModel& hybrid) {
  NeedWords words(roofs, point, reading);
  std::vector<Need> needs = needs_of(roofs, point, reading.cluster, hybrid);
  if (needs.empty()) {
    reading.verdict.answer =
        "has no roof to be compared with: none was measured for what it transfers and computes";
    return reading;
  }
  reading.functions = functions_of(roofs, point, reading.cluster, hybrid);
  if (const auto code = uncounted_code(point); code && is_mostly_uncounted(*code)) {
    reading.verdict = {"is undecided: " + uncounted_figures(*code), uncounted_advice()};
    return reading;
  }
  if (reading.slowest * needs.front().lo > at_most_of_time) {
    reading.verdict.answer = words.too_much(needs.front());
    reading.contradictory = true;
    return reading;
  }
  keep_to_functions(reading.functions, needs);
  keep_to_time(needs);
  sort_down_by(needs, &Need::share);
  const std::vector<Need> candidates = candidates_of(needs);
  const Need& first = candidates.front();
  reading.limit = first.limit;
  reading.reached_percent = 100 * first.share;
  set_headroom_of(needs, reading);
  const bool undecided = is_undecided(candidates);
  const bool in_turns = first.share < bound_from && !undecided && is_bound_in_turns(point, reading);
  if (in_turns) set_headroom_in_turns(reading);
  reading.headroom_known = (first.share >= far_below_percent / 100 || in_turns) && !undecided &&
                           (in_turns || (!words.may_wait(first) && !is_wide_open(needs, first) &&
                                         (first.share >= bound_from || !words.may_be_instructions()))) &&
                           first.limit.kind != Limit::Kind::irregular && !others_took_time(point);
  reading.verdict = words.verdict(needs, candidates, reading);
  const bool any = first.share >= far_below_percent / 100 || undecided;
  if (!any) {
    reading.limit = {};
  } else {
    reading.roof = first.limit.name();
  }
  return reading;
}

}  // namespace gable::model
