#include "model/virt/paging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gable::model {
namespace {

// A log-normal expectation: its median, and the factor of one standard deviation.
struct Expected {
  double median, factor;
};

struct Evidence {
  std::string_view what;  // of mapping
  VirtPages pages;
  Expected nested_us, shadow_us;        // without a native folder
  Expected nested_ratio, shadow_ratio;  // to the native cost
};

// Assumptions of Gable: an exit with its handling takes 1000 cycles and more, and a fault under shadow paging
// two or three of them. The paper has no figure of these, only O(1000) cycles for an interrupt that leaves
// the guest and is injected again (section 3.2). The figure of mprotect is that of two calls, which split and
// merge a mapping, and of the fault between them: 3 us is assumed with nested paging.
constexpr Evidence evidence[] = {
    {mapping::first_touch, VirtPages::small, {0.7, 2}, {5, 2.2}, {1.3, 1.5}, {6, 2.2}},
    {mapping::mprotect, VirtPages::small, {3, 2}, {12, 2.2}, {1.2, 1.5}, {6, 2.2}},
    {mapping::context_switch, VirtPages::none, {2, 2}, {6, 2.2}, {1.3, 1.5}, {4, 2.2}},
};
constexpr Expected nested_walk = {2.2, 1.7}, shadow_walk = {1.1, 1.4};

// `error`: standard deviation of the value's logarithm.
double log_likelihood(double value, double error, const Expected& expected) {
  const double width = std::hypot(std::log(expected.factor), error);
  const double off = std::log(value / expected.median) / width;
  return -off * off / 2 - std::log(width);
}

double log_error(const Estimate& estimate) {
  return estimate.lo > 0 ? std::log(estimate.hi / estimate.lo) / 2 / normal_95 : 0;
}

// Adds up what speaks for nested (above 0) and for shadow paging.
class Balance {
 public:
  /// `code`: how the value is told.
  void add(const std::string& what, double value, double error, NoteCode code, const Expected& nested,
           const Expected& shadow) {
    constexpr double dependence = 0.5;
    const double for_nested = log_likelihood(value, error, nested) - log_likelihood(value, error, shadow);
    sum_ += dependence * for_nested;
    notes_.push_back({code, {what, value, std::string(for_nested > 0 ? "nested" : "shadow")}});
  }
  bool empty() const { return notes_.empty(); }
  Paging verdict(double surest) const {
    const double nested = 1 / (1 + std::exp(-sum_));
    return {nested >= 0.5 ? PagingKind::nested : PagingKind::shadow,
            std::min(surest, std::max(nested, 1 - nested)), notes_};
  }

 private:
  double sum_ = 0;
  Notes notes_;
};

// Walks of 4 KiB pages in both.
void weigh_walks(Balance& balance, const VirtSummary& summary, const VirtSummary& native) {
  const WalkLadder *own = summary.ladder(VirtPages::small), *other = native.ladder(VirtPages::small);
  if (own == nullptr || other == nullptr || !own->fit.unknown.empty() || !other->fit.unknown.empty()) return;
  if (own->fit.beyond.value > 0 && other->fit.beyond.value > 0)
    balance.add("page walks", own->fit.beyond.value / other->fit.beyond.value,
                std::hypot(log_error(own->fit.beyond), log_error(other->fit.beyond)),
                NoteCode::ratio_suggests, nested_walk, shadow_walk);
}

}  // namespace

Paging paging_of(const VirtSummary& summary, const VirtSummary* native) {
  constexpr double surest_alone = 0.95, surest = 0.99;
  if (summary.emulated()) return {PagingKind::emulated, 1, {NoteCode::is_emulated}};
  if (summary.hypervisor == Hypervisor::none) return {PagingKind::native, surest, {NoteCode::no_hypervisor}};
  if (summary.facts.empty()) return {PagingKind::unknown, 0, {NoteCode::no_environment}};
  constexpr double busy = 0.1;
  if (summary.noise_share() > busy)
    return {PagingKind::unknown, 0, {{NoteCode::too_busy_for_paging, {100 * summary.noise_share()}}}};
  const bool beside = native != nullptr && native != &summary && !native->emulated();
  Balance balance;
  for (const Evidence& each : evidence) {
    const VirtFigure* const own = summary.figure(VirtKind::map, each.what, each.pages);
    if (own == nullptr) continue;
    const VirtFigure* const other = beside ? native->figure(VirtKind::map, each.what, each.pages) : nullptr;
    if (other != nullptr) {
      balance.add(std::string(each.what), own->estimate.value / other->estimate.value,
                  std::hypot(log_error(own->estimate), log_error(other->estimate)), NoteCode::ratio_suggests,
                  each.nested_ratio, each.shadow_ratio);
    } else {
      balance.add(std::string(each.what), own->estimate.value, log_error(own->estimate),
                  NoteCode::time_suggests, each.nested_us, each.shadow_us);
    }
  }
  if (beside) weigh_walks(balance, summary, *native);
  if (balance.empty()) return {PagingKind::unknown, 0, {NoteCode::no_mapping_cost}};
  return balance.verdict(beside ? surest : surest_alone);
}

std::string paging_text(const Paging& paging) {
  if (paging.kind == PagingKind::unknown) return "not known: " + joined_sentences(paging.why);
  if (paging.kind == PagingKind::native) return "native";
  if (paging.kind == PagingKind::emulated) return "emulated: its costs are the emulator's";
  const char* const kind = paging.kind == PagingKind::nested ? "nested" : "shadow";
  if (paging.chance < 0.75)
    return fmt::format("unclear: {} paging is more likely ({:.0f} %)", kind, 100 * paging.chance);
  const char* const how = paging.chance >= 0.9 ? "" : "probably ";
  return fmt::format("{}{} paging, {:.0f} % sure", how, kind, 100 * paging.chance);
}

HostPages host_pages_of(const VirtSummary& summary) {
  const WalkLadder* const small = summary.ladder(VirtPages::small);
  const WalkLadder* huge = summary.ladder(VirtPages::huge);
  if (huge == nullptr) huge = summary.ladder(VirtPages::transparent);
  if (summary.emulated() || summary.hypervisor == Hypervisor::none) return {"", NoteCode::no_host};
  if (small == nullptr || huge == nullptr) return {"", NoteCode::no_both_ladders};
  if (!small->fit.unknown.empty()) return {"", small->fit.unknown};
  constexpr double far = 8, much = 0.5, little = 0.75;
  const double bytes = huge->points.empty() ? 0 : huge->points.back().bytes;
  const double small_cost = small->fit.at(bytes), huge_cost = huge->fit.at(bytes);
  const double reach = small->fit.levels.back().reach.value;
  if (bytes < far * reach) return {"", NoteCode::no_far_working_set};
  if (huge_cost < much * small_cost)
    return {"2 MiB or more", {NoteCode::huge_pages_cost_less, {std::max(0.0, huge_cost), small_cost}}};
  if (huge_cost > little * small_cost) return {"4 KiB", NoteCode::huge_pages_miss_alike};
  return {"", {NoteCode::huge_pages_unclear, {huge_cost, small_cost}}};
}

}  // namespace gable::model
