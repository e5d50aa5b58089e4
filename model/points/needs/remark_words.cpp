// The sentences that add figures to a verdict.

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/points/needs/stalls/branches.hpp"
#include "model/points/needs/words.hpp"
#include "model/points/threads.hpp"
#include "model/points/verdict_words.hpp"
#include "model/records/profile.hpp"
#include "model/records/short_function.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {

std::string words_for(const FunctionWork& work) {
  const bool is_nameless = work.function.empty() && !work.object.empty();
  const std::string name = is_nameless ? fmt::format("(no symbol in {})", without_folders(work.object))
                                       : short_function(work.function);
  return name + loop_words(work.loop, work.line);
}

std::string NeedWords::others(const std::vector<Need>& needs, const std::vector<Need>& told) const {
  constexpr double worth_a_word = 0.05;
  std::vector<std::string> texts;
  for (const Need& need : needs) {
    const bool is_told = std::ranges::any_of(told, [&](const Need& each) {
      return each.limit.kind == need.limit.kind && each.limit.name() == need.limit.name();
    });
    if (!is_told && need.hi >= worth_a_word && texts.size() < 3)
      texts.push_back(fmt::format("{} {}", culprit(need.limit), share_text(need)));
  }
  return texts.empty() ? "" : "Next: " + joined(texts, [](const auto& text) { return text; }) + ".";
}

std::string NeedWords::in_turns(const Reading& reading) const {
  constexpr std::size_t most = 3;
  constexpr double worth_a_word = 0.05;
  std::vector<std::string> texts;
  double told = 0;
  for (const FunctionReading& each : reading.functions) {
    if (texts.size() == most) break;
    const double share = each.within_time(each.share);
    told += share;
    texts.push_back(fmt::format("{} in {} ({})", each.what, words_for(point_.functions[each.function]),
                                percent_text(100 * share)));
  }
  if (share_in_turns(reading) - told >= worth_a_word) texts.emplace_back("and others");
  return fmt::format("is {} by one thing after the other, which take {} of its time: {}",
                     is_bound_in_turns(point_, reading) ? "bound" : "mostly bound",
                     percent_text(100 * share_in_turns(reading)), fmt::join(texts, "; "));
}

std::string NeedWords::time_remark(const Reading& reading) const {
  constexpr double worth_a_word = 0.1;
  const FunctionReading* most = nullptr;
  const auto unexplained = [&](const FunctionReading& each) {
    const auto& measured = each.measured;
    const bool is_told = is_openmp_runtime(point_.functions[each.function].object);
    const bool is_known = measured && measured->verdict != FunctionVerdict::few_samples &&
                          measured->verdict != FunctionVerdict::may_bind;
    return is_known && !is_told ? measured->time.value * measured->remains : 0;
  };
  for (const FunctionReading& each : reading.functions) {
    if (most == nullptr || unexplained(each) > unexplained(*most)) most = &each;
  }
  if (most == nullptr || unexplained(*most) < worth_a_word) return {};
  return fmt::format(
      "The function {} has the most time that its largest need does not take: it takes {} of the CPU time, "
      "and the need ({}) leaves {} of that.",
      words_for(point_.functions[most->function]), percent_text(100 * most->measured->time.value), most->what,
      percent_text(100 * most->measured->remains));
}

std::string NeedWords::instruction_remark() const {
  const Instructions& instructions = point_.instructions;
  if (instructions.executed <= 0) return {};
  const double cycles = cluster_clock(roofs_, reading_.cluster) * 1e9 * point_.seconds *
                        cores_used(roofs_, point_, reading_.cluster);
  const std::string rate = cycles > 0
                               ? fmt::format("it executes {:#.2g} instructions per cycle and core, and ",
                                             cluster_share(roofs_, point_) * instructions.executed / cycles)
                               : "";
  return fmt::format("By its counts {}{} of its {:.4g} million branches are mispredicted (simulated); {}.",
                     rate,
                     percent_text(100 * instructions.mispredicted / std::max(1.0, instructions.branches)),
                     instructions.branches / 1e6, branch_cost_text());
}

// The cost of a mispredicted branch by itself, and that of all of them.
std::string NeedWords::branch_cost_text() const {
  const auto one = mispredicted_branch(roofs_.roofs, reading_.cluster);
  const auto all = seconds_of_branches(roofs_, reading_.cluster, point_.instructions);
  const int cores = cores_used(roofs_, point_, reading_.cluster);
  if (!one || !all || cores <= 0) return "what one costs by itself is not known";
  const double share = cluster_share(roofs_, point_) * all->value / cores / point_.seconds;
  const double waits = 1e9 * all->value / std::max(1.0, point_.instructions.mispredicted) - one->value;
  return fmt::format("one costs {:.1f} ns by itself{}, and all of them {} of the time", one->value,
                     waits >= 0.05 ? fmt::format(" and {:.1f} until its condition is known", waits) : "",
                     percent_text(100 * share));
}

}  // namespace gable::model
