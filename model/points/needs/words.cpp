#include "model/points/needs/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/words.hpp"
#include "model/points/function_time.hpp"
#include "model/points/kernel_time.hpp"
#include "model/points/needs/advice.hpp"
#include "model/points/needs/stalls/contention.hpp"
#include "model/points/needs/uncounted_code.hpp"
#include "model/points/threads.hpp"
#include "model/points/verdict_words.hpp"

namespace gable::model {
namespace {

// The rate of random loads is what one loop reaches, and no bound.
bool is_sure(const Need& need) {
  return need.lo >= bound_from_percent / 100 && need.limit.kind != Limit::Kind::irregular;
}

std::string large_number(double number) {
  return number < 1e9 ? fmt::format("{:.3g} million", number / 1e6)
                      : fmt::format("{:.3g} billion", number / 1e9);
}

std::string perhaps_all(const Need& need) {
  const std::string lo = percent_text(100 * need.lo), hi = percent_text(100 * need.hi);
  if (!is_by_interval(need) || lo == hi) return "";
  return fmt::format(", perhaps all by its interval of {} to {}", lo, hi);
}

std::string unless_cached(const Need& need) {
  if (need.perhaps_in.empty()) return "";
  return fmt::format(
      ", unless {0} holds them: other programs use it too, and the measured bandwidths and latencies "
      "disagree on its size",
      need.perhaps_in);
}

std::string roof_by_window(const Need& need) {
  if (need.room == Need::Room::buffers)
    return "the latency, of as many lines at once as a core has line fill buffers";
  if (need.room == Need::Room::stores)
    return fmt::format(
        "the {}latency, of as many lines at once as a core has room for stores, which leave it in order",
        need.is_range ? "" : "measured ");
  return need.is_range && need.perhaps_in.empty() && !is_cache(need.limit.level)
             ? "the measured rate of random loads, or at the latency, since a core has few of these loads "
               "among the instructions that it works on at once"
             : "the measured latency, of as many at once as are among the instructions that a core works on";
}

std::string roof_of_irregular(const Need& need) {
  if (need.is_sooner)
    return fmt::format(
        "the {}, or slower: they come sooner than a core can wait for them, so they are prefetched by the "
        "program, or more in order than they look",
        is_cache(need.limit.level) ? "bandwidth of " + need.limit.level.name()
                                   : "measured rate of random loads");
  if (need.room != Need::Room::unknown) return roof_by_window(need);
  const bool is_measured = !need.is_range || !need.perhaps_in.empty();
  return is_measured ? "the measured rate of random loads" : "the measured latencies";
}

// Where the time goes that the need does not take.
std::string rest_text(const Need& need, const Point& point, bool may_not_overlap) {
  constexpr double nearly_all = 0.8;
  if (is_much_in_kernel(point) && kernel_share(point) >= nearly_all * (1 - need.share))
    return "time in the kernel";
  const std::string kernel = is_much_in_kernel(point) ? "time in the kernel, " : "";
  const bool transfers = limited_part(need.limit) == LimitPart::transfer;
  if (may_not_overlap)
    return fmt::format("{}{} that may not overlap with it", kernel.empty() ? "" : kernel + "or ",
                       transfers ? "computing" : "transfers");
  return kernel + (need.limit.kind == Limit::Kind::flops
                       ? "waiting and other instructions"
                       : "waiting, instructions, or transfers that do not overlap");
}

// Whether functions need the same part of the machine for nearly all of this time.
bool is_one_thing(const Reading& reading) {
  constexpr double nearly_all = 0.9;
  std::map<std::string, double> shares;
  double most = 0;
  for (const FunctionReading& each : reading.functions)
    most = std::max(most, shares[each.what] += each.within_time(each.share));
  return most >= nearly_all * share_in_turns(reading);
}

bool takes_in_turns(const Point& point, const Reading& reading, double least) {
  const double sum = share_in_turns(reading);
  return !is_one_thing(reading) && sum >= least * (1 - kernel_share(point)) && sum <= at_most_of_time;
}

// Whether needs in turns explain half of that time or more, and no part of the machine is known to take much
// of it.
bool takes_most_in_turns(const Point& point, const Reading& reading) {
  constexpr double most = 0.5;
  return reading.reached_percent < far_below_percent && takes_in_turns(point, reading, most);
}

}  // namespace

bool is_by_interval(const Need& need) {
  constexpr double bound_from = bound_from_percent / 100;
  return !need.is_range && need.share < bound_from && need.hi >= bound_from;
}

bool is_undecided(const std::vector<Need>& candidates) {
  constexpr double bound_from = bound_from_percent / 100;
  const Need& first = candidates.front();
  return candidates.size() > 1 || (first.is_range && first.lo < bound_from && first.hi >= bound_from);
}

double share_in_turns(const Reading& reading) {
  double sum = 0;
  for (const FunctionReading& each : reading.functions) sum += each.within_time(each.share);
  return sum;
}

bool is_bound_in_turns(const Point& point, const Reading& reading) {
  return takes_in_turns(point, reading, bound_from_percent / 100);
}

NeedWords::NeedWords(const Roofs& roofs, const Point& point, const Reading& reading)
    : roofs_(roofs),
      point_(point),
      reading_(reading),
      cores_(cores_of(roofs, reading.cluster)),
      wait_(thread_wait(point)) {}

bool NeedWords::may_wait(const Need& first) const {
  return wait_ && may_take_most(*wait_) && first.share < bound_from_percent / 100;
}

std::string NeedWords::roof_of_branches(const Need& need) const {
  if (need.besides.hi <= 0) return "the measured latencies, the more the fewer overlap";
  std::string cost = "the measured cost of one";
  if (point_.instructions.resolving_cycles > 0) cost += " and the wait for its condition";
  return need.is_range ? cost + ", and the latencies, the more the fewer overlap" : cost;
}

std::string NeedWords::roof_of(const Need& need) const {
  if (need.limit.kind == Limit::Kind::chain)
    return need.chains < 1.05
               ? "the measured latencies, one line after the other"
               : fmt::format("the measured latencies, {:.2g} chains side by side", need.chains);
  if (need.limit.kind == Limit::Kind::irregular) return roof_of_irregular(need) + unless_cached(need);
  if (need.limit.kind == Limit::Kind::branches) return roof_of_branches(need);
  if (need.limit.kind == Limit::Kind::walks) return "the measured page walks, the more the fewer overlap";
  if (need.limit.kind == Limit::Kind::path)
    return need.limit.estimate.empty() ? "their measured latencies, one after the other"
                                       : need.limit.estimate + ", one after the other";
  if (need.limit.kind == Limit::Kind::integer) return "the measured rate of additions";
  if (need.limit.kind == Limit::Kind::loads) return "the measured rate of vectors from L1";
  if (need.limit.kind == Limit::Kind::iterations) return "one per cycle and core";
  if (need.limit.kind == Limit::Kind::contention)
    return need.limit.estimate.empty() ? "the measured time from core to core, one after the other at most"
                                       : need.limit.estimate + ", one after the other at most";
  Reading with = reading_;
  with.limit = need.limit;
  const std::string& estimate = need.limit.estimate;
  const bool is_told = !estimate.empty() && need.limit.kind != Limit::Kind::hybrid;
  return roof_words(point_, with, cores_) + (is_told ? fmt::format(" ({})", estimate) : "");
}

std::string NeedWords::amount_of(const Need& need) const {
  if (need.limit.kind == Limit::Kind::flops) return fmt::format("{:.3g} GFlop", need.bytes / 1e9);
  if (need.limit.kind == Limit::Kind::chain || need.limit.kind == Limit::Kind::irregular)
    return fmt::format("{:.3g} million lines", need.bytes / 64e6);
  if (need.limit.kind == Limit::Kind::branches)
    return fmt::format("{:.3g} million mispredicted branches", need.bytes / 64e6);
  if (need.limit.kind == Limit::Kind::walks)
    return fmt::format("{:.3g} million page walks", need.bytes / 64e6);
  if (need.limit.kind == Limit::Kind::path)
    return fmt::format("{} of them, mostly {}", large_number(need.bytes), row_of(need.slowest).words);
  if (need.limit.kind == Limit::Kind::contention) {
    const std::string object = contended_object(point_);
    return fmt::format("{:.3g} million accesses to lines{} that another thread uses at the same time",
                       need.bytes / 64e6, object.empty() ? "" : " of " + object);
  }
  if (need.limit.kind == Limit::Kind::integer) return large_number(need.bytes) + " integer instructions";
  if (need.limit.kind == Limit::Kind::loads) return large_number(need.bytes) + " loads into vector registers";
  if (need.limit.kind == Limit::Kind::iterations) return large_number(need.bytes) + " iterations of loops";
  return transferred(need);
}

// As the table of objects has it: what is read contains what stores fetch.
std::string NeedWords::transferred(const Need& need) const {
  constexpr double worth_a_word = 0.02;
  const auto text = [](double bytes) { return bytes_text(static_cast<std::uint64_t>(bytes)); };
  const auto level = limited_level(need.limit);
  const auto found =
      level ? std::ranges::find(point_.levels, *level, &LevelBytes::level) : point_.levels.end();
  if (found == point_.levels.end()) return text(need.bytes);
  const double share = cluster_share(roofs_, point_);
  const bool is_written = found->written >= worth_a_word * found->read;
  return text(share * found->read) +
         (is_written ? fmt::format(" read and {} written", text(share * found->written)) : "");
}

std::string NeedWords::too_much(const Need& need) const {
  return fmt::format(
      "would take {} of its time for {} at {}: its counts, its time and the roofs are not from the same "
      "machine and threads, or the roof is out of date",
      percent_text(100 * need.share), amount_of(need), roof_of(need));
}

std::string NeedWords::figures_of(const Need& need) const {
  return fmt::format("{} of its time for {} at {}", share_text(need), amount_of(need), roof_of(need));
}

std::string NeedWords::need_remark(const Need& need) const {
  return fmt::format("{}: {}.", capitalized(culprit(need.limit)), figures_of(need));
}

bool NeedWords::mostly_waits(const std::vector<Need>& candidates, const Reading& reading) const {
  return !is_undecided(candidates) && !is_bound_in_turns(point_, reading) && may_wait(candidates.front());
}

Verdict NeedWords::answer(const std::vector<Need>& candidates, const PointWithoutOverlap& apart) const {
  const Need& first = candidates.front();
  const std::string what = culprit(first.limit), advice = need_advice(first, point_);
  if (candidates.size() > 1 || (is_undecided(candidates) && may_wait(first))) return undecided(candidates);
  if (is_undecided(candidates)) return only(first, "bind it");
  if (first.lo >= bound_from_percent / 100 || first.share >= bound_from_percent / 100)
    return {fmt::format("{} {} it: {}", what, is_sure(first) ? "binds" : "probably binds", figures_of(first)),
            advice};
  if (first.share < far_below_percent / 100 || others_took_time(point_) || may_be_instructions())
    return unbound(first, apart);
  const bool may_not_overlap = apart.saved > 0 && !is_by_interval(first);
  Verdict most{fmt::format("{} takes most{}: {}; the rest goes to {}", what, perhaps_all(first),
                           figures_of(first), rest_text(first, point_, may_not_overlap)),
               advice};
  if (may_not_overlap) most.add(apart_remark(apart));
  return most;
}

bool NeedWords::takes_turns(const Need& first, const PointWithoutOverlap& apart,
                            const Reading& reading) const {
  if (first.share >= bound_from_percent / 100) return false;
  if (is_bound_in_turns(point_, reading)) return true;
  return takes_most_in_turns(point_, reading) && apart.saved <= 0 && !may_be_instructions() &&
         !others_took_time(point_);
}

Verdict NeedWords::verdict(const std::vector<Need>& needs, const std::vector<Need>& candidates,
                           const Reading& reading) const {
  const Need& first = candidates.front();
  const PointWithoutOverlap apart = without_overlap(point_, reading);
  Verdict verdict;
  const bool is_of_kernel = mostly_in_kernel(candidates);
  if (is_of_kernel) {
    verdict = in_kernel(needs);
  } else if (mostly_waits(candidates, reading)) {
    verdict = waiting(needs);
  } else if (!is_undecided(candidates) && takes_turns(first, apart, reading)) {
    verdict.answer = in_turns(reading);
    verdict.add(wait_remark(point_));
  } else if (const Need* const most = may_be_most(needs, candidates)) {
    verdict = only(*most, "take most");
    verdict.add(others(needs, {*most}));
    verdict.add(wait_remark(point_));
  } else {
    verdict = answer(candidates, apart);
    verdict.add(others(needs, candidates));
    verdict.add(wait_remark(point_));
  }
  if (!is_of_kernel && (!reading.headroom_known || first.share < bound_from_percent / 100)) {
    verdict.add(time_remark(reading));
    verdict.add(instruction_remark());
  }
  if (!first.place_known)
    verdict.add(
        "Where its data lies is not known: among the memories this is the slowest that can be as fast.");
  if (!first.stores_known)
    verdict.add(
        "No roof was measured with as many stores: what is written back takes no time, or as much as loads.");
  verdict.add(write_back_remark(first, point_));
  if (!is_of_kernel) verdict.add(kernel_remark(point_));
  verdict.add(competitors_remark(point_));
  if (const auto code = uncounted_code(point_))
    verdict.add(fmt::format("{}: {}.", capitalized(uncounted_figures(*code)), uncounted_advice()));
  return verdict;
}

}  // namespace gable::model
