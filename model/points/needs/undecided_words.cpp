// The sentences about a Point that no single need binds.

#include <fmt/format.h>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/points/function_time.hpp"
#include "model/points/kernel_time.hpp"
#include "model/points/needs/advice.hpp"
#include "model/points/needs/instruction_rates.hpp"
#include "model/points/needs/words.hpp"
#include "model/points/threads.hpp"
#include "model/points/verdict_words.hpp"

namespace gable::model {

namespace {

std::string apart_figures(const NoOverlap& apart) {
  return fmt::format("computing needs {} of its time, and transfers {}", percent_text(100 * apart.computing),
                     percent_text(100 * apart.transfers));
}

// Whether others may have used so much of the memory's bandwidth that it bound the Point.
bool may_share_memory(const Need& need, const Point& point) {
  constexpr double much = 0.2;
  const auto level = limited_level(need.limit);
  return point.other_cpus > 0 && level && is_memory(*level) && need.hi >= much;
}

// "L3 (63 %)", with the upper end of its interval if the need may bind only there.
std::string candidate_text(const Need& need) {
  const bool waits = limited_part(need.limit) == LimitPart::waiting;
  const std::string most = is_by_interval(need)
                               ? fmt::format(", or up to {} by the interval of its {}",
                                             percent_text(100 * need.hi), waits ? "latency" : "roof")
                               : "";
  return fmt::format("{} ({}{})", culprit(need.limit), share_text(need), most);
}

}  // namespace

std::string share_text(const Need& need) {
  if (need.is_range && need.lo <= 0) return "up to " + percent_text(100 * need.hi);
  if (need.is_range) return fmt::format("{} to {}", percent_text(100 * need.lo), percent_text(100 * need.hi));
  return percent_text(100 * need.share);
}

// The first candidate may be the largest need without being large enough to bind.
Verdict NeedWords::undecided(const std::vector<Need>& candidates) const {
  const auto names = [&](auto begin, auto end) {
    const std::string needs = joined(std::vector(begin, end), candidate_text, " or ");
    return needs + (may_wait(candidates.front()) ? " or " + wait_candidate(*wait_) : "");
  };
  const Need& first = candidates.front();
  if (first.hi >= bound_from_percent / 100)
    return {fmt::format("is undecided: {} may bind it", names(candidates.begin(), candidates.end())),
            need_advice(first, point_),
            {need_remark(first)}};
  return {fmt::format("is undecided: the largest need is {}, but {} may bind it", candidate_text(first),
                      names(candidates.begin() + 1, candidates.end())),
          "measure the other roof again",
          {need_remark(first)}};
}

// The largest need does not bind the Point, and threads may wait for each other most of the time.
Verdict NeedWords::waiting(const std::vector<Need>& needs) const {
  constexpr double most = far_below_percent / 100;
  const Need& first = needs.front();
  const std::string told = wait_figures(*wait_);
  Verdict verdict;
  verdict.advice = wait_advice(*wait_);
  bool is_first_told = true;
  if (others_took_time(point_)) {
    verdict.answer = fmt::format(
        "is undecided, because other programs took its time: {}, and the largest need, {}, would take {} of "
        "its time",
        told, culprit(first.limit), share_text(first));
  } else if (first.hi >= most) {
    verdict.answer = fmt::format("is undecided: {} or {} may bind it; {}", candidate_text(first),
                                 wait_candidate(*wait_), told);
    verdict.add(need_remark(first));
  } else {
    is_first_told = false;
    verdict.answer = wait_->lo >= most
                         ? fmt::format("waits for other threads: {}, which is more than any need takes", told)
                         : fmt::format("is undecided: of what is known only {} may bind it; {}",
                                       wait_candidate(*wait_), told);
  }
  verdict.add(others(needs, is_first_told ? std::vector{first} : std::vector<Need>{}));
  return verdict;
}

bool NeedWords::mostly_in_kernel(const std::vector<Need>& candidates) const {
  const double share = kernel_share(point_);
  return share >= far_below_percent / 100 && share > candidates.front().share && !is_undecided(candidates) &&
         !others_took_time(point_);
}

Verdict NeedWords::in_kernel(const std::vector<Need>& needs) const {
  const char* how = kernel_share(point_) >= bound_from_percent / 100 ? "binds it" : "takes most";
  Verdict verdict{fmt::format("time in the kernel {}: {}, and its bytes do not contain what the kernel moved",
                              how, kernel_figures(point_)),
                  kernel_advice(point_)};
  verdict.add(others(needs, {}));
  verdict.add(wait_remark(point_));
  return verdict;
}

double NeedWords::share_of_instructions() const {
  const auto additions = integer_limit(roofs_, point_, reading_.cluster);
  if (!additions || point_.seconds <= 0) return 0;
  return cluster_share(roofs_, point_) * point_.instructions.executed / 1e9 / point_.seconds /
         additions->value;
}

Verdict NeedWords::only(const Need& need, const char* may) const {
  return {fmt::format("is undecided: of what is known only {} may {}, {}", culprit(need.limit), may,
                      figures_of(need)),
          need_advice(need, point_)};
}

const Need* NeedWords::may_be_most(const std::vector<Need>& needs,
                                   const std::vector<Need>& candidates) const {
  constexpr double most = far_below_percent / 100;
  if (is_undecided(candidates) || candidates.front().share >= most || others_took_time(point_) ||
      may_be_instructions())
    return nullptr;
  const auto found =
      std::ranges::max_element(needs, {}, [](const Need& need) { return need.is_range ? need.hi : 0.0; });
  return found != needs.end() && found->is_range && found->hi >= most ? &*found : nullptr;
}

std::string NeedWords::prefetch_advice(const PointWithoutOverlap& apart) const {
  return fmt::format(
      "try software prefetches in {}, about 2 KiB ahead, as those of the hardware may be too late",
      words_for(point_.functions[apart.function]));
}

std::string NeedWords::apart_remark(const PointWithoutOverlap& apart) const {
  return fmt::format("{}, perhaps one after the other: {}.", capitalized(apart_figures(apart)),
                     prefetch_advice(apart));
}

Verdict NeedWords::unbound(const Need& first, const PointWithoutOverlap& apart) const {
  if (others_took_time(point_))
    return {fmt::format(
        "is undecided, because other programs took its time: the largest need, {}, would take {} of it",
        culprit(first.limit), share_text(first))};
  if (may_share_memory(first, point_))
    return {
        fmt::format("is undecided, because other programs used the memory, too: {} would take {} of its "
                    "time if it had the memory to itself",
                    culprit(first.limit), share_text(first))};
  const std::string largest =
      fmt::format("the largest, {}, would take {} of its time", culprit(first.limit), share_text(first));
  if (const double idle = 1 - busy_share(point_); point_.threads == 1 && idle >= far_below_percent / 100)
    return {fmt::format("waits for something else: it did not run for {} of its time; {}",
                        percent_text(100 * idle), largest),
            "`strace -c -w -f` lists the system calls in which it waits, such as input, output and sleep"};
  if (may_be_instructions())
    return {fmt::format("may be bound by the number of its instructions, which is {} of the additions that "
                        "its cores can do in its time (they may execute more of other instructions)",
                        percent_text(100 * share_of_instructions())),
            instructions_advice(point_),
            {fmt::format("No transfer binds it, nor does arithmetic: {}.", largest)}};
  if (apart.saved > 0)
    return {"may compute and transfer data one after the other: " + apart_figures(apart),
            prefetch_advice(apart)};
  const std::string unbound =
      fmt::format("is bound by none of its transfers, nor by arithmetic: {}", largest);
  if (const std::string advice = conflicts_advice(point_); !advice.empty()) return {unbound, advice};
  return {unbound,
          fmt::format("look for {}waiting, synchronization, mispredicted branches, scalar or serial code",
                      is_much_in_kernel(point_) ? "time in the kernel, " : "")};
}

}  // namespace gable::model
