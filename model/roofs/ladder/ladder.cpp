// Matches the plateaus of a working-set ladder with the claimed cache levels. The size of a level is the
// largest working set that is still about as fast as its plateau.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/roofs/ladder/plateaus.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {
namespace {

constexpr double least_claim = 0.45;  // the share of a claimed size that must be seen to confirm it
constexpr double most_claim = 1.3;
constexpr double latency_rises = 1.5, bandwidth_falls = 1;  // at least, from a cache to memory

std::vector<Step> steps_of(const std::vector<Roof>& ladder, int cluster, Kind kind, Pages pages) {
  std::vector<Step> steps;
  for (const Roof& roof : ladder) {
    const Case& spec = roof.spec;
    const bool latency = spec.kind == Kind::latency;
    if (roof.status != Status::ok || spec.cluster != cluster || spec.threads != 1 || spec.kind != kind ||
        spec.pages != pages || (!latency && spec.op != operations::load)) {
      continue;
    }
    const auto bytes = static_cast<double>(spec.bytes);
    if (latency) {
      steps.push_back({bytes, roof.value, roof.lo, roof.hi});
    } else {
      steps.push_back({bytes, 1 / roof.value, 1 / roof.hi, roof.lo > 0 ? 1 / roof.lo : HUGE_VAL});
    }
  }
  sort_by(steps, &Step::bytes);
  return steps;
}

struct Curve {
  std::vector<Step> steps;
  Pages pages;
};

// One curve of a cluster with one thread. Prefers large pages to small ones where they are nearly complete,
// because the TLB affects these least.
Curve curve_of(const std::vector<Roof>& ladder, int cluster, Kind kind) {
  Curve best;
  std::set<Pages, std::greater<>> sizes;
  for (const Roof& roof : ladder) sizes.insert(roof.spec.pages);
  for (const Pages pages : sizes) {
    std::vector<Step> steps = steps_of(ladder, cluster, kind, pages);
    if (3 * steps.size() > 4 * best.steps.size()) best = {std::move(steps), pages};
  }
  return best;
}

// What one curve says of one claim.
struct LevelVerdict {
  enum class Seen { confirmed, smaller, larger, no_edge, like_memory, maybe_tlb, not_judged };
  Seen seen = Seen::not_judged;
  std::uint64_t bytes = 0;       // where the plateau ends
  std::uint64_t sure_bytes = 0;  // beyond which it is slower beyond the intervals
  Note remark;
};

// Why the curve cannot tell; empty if it can.
Note not_judged(std::uint64_t claimed_bytes, const std::vector<Step>& steps) {
  const auto claim = static_cast<double>(claimed_bytes);
  if (steps.back().bytes < most_claim * claim) return {NoteCode::ladder_ends, {steps.back().bytes}};
  const auto lies_in = [&](double from, double to) {
    return std::ranges::any_of(
        steps, [&](const Step& step) { return step.bytes > from * claim && step.bytes <= to * claim; });
  };
  if (lies_in(1 / largest_gap, 1) && lies_in(1, largest_gap)) return {};
  return {NoteCode::few_ladder_steps, {claim}};
}

std::string edge_text(std::uint64_t bytes, std::uint64_t sure_bytes) {
  const std::string seen = bytes_text(bytes), sure = bytes_text(sure_bytes);
  return sure == seen ? seen : fmt::format("{} (clearly beyond {})", seen, sure);
}

LevelVerdict verdict_on(std::uint64_t claimed_bytes, const std::optional<Plateau>& plateau,
                        const std::vector<Step>& steps) {
  using Seen = LevelVerdict::Seen;
  const auto claimed = static_cast<double>(claimed_bytes);
  const std::uint64_t bytes = plateau ? plateau->last_bytes : 0;
  const double share = static_cast<double>(bytes) / claimed;
  const std::uint64_t sure_bytes = plateau ? plateau->sure_bytes : 0;
  if (share >= least_claim && share <= most_claim) return {Seen::confirmed, bytes, sure_bytes, {}};
  if (Note why = not_judged(claimed_bytes, steps); !why.empty())
    return {Seen::not_judged, bytes, sure_bytes, std::move(why)};
  if (bytes == 0) return {Seen::no_edge, 0, 0, {NoteCode::no_plateau, {claimed}}};
  const auto seen = static_cast<double>(bytes), sure = static_cast<double>(sure_bytes);
  if (share < 1) {
    if (sure >= least_claim * claimed) {
      return {Seen::no_edge, 0, 0, {NoteCode::slower_within_intervals, {seen, sure, claimed}}};
    }
    return {
        Seen::smaller, bytes, sure_bytes, {NoteCode::part_of_cache, {edge_text(bytes, sure_bytes), claimed}}};
  }
  return {Seen::larger, bytes, sure_bytes, {NoteCode::larger_than_claimed, {seen, claimed}}};
}

std::string in_short(const char* curve, const LevelVerdict& verdict, std::uint64_t claimed_bytes) {
  if (verdict.seen == LevelVerdict::Seen::like_memory)
    return fmt::format("{} is nearly that of memory from {}", curve, bytes_text(verdict.sure_bytes));
  if (verdict.bytes == 0) return fmt::format("{} has no edge near {}", curve, bytes_text(claimed_bytes));
  return fmt::format("{} is flat up to {}", curve, bytes_text(verdict.bytes));
}

bool is_at_most_claimed(const LevelVerdict& verdict) {
  return verdict.seen == LevelVerdict::Seen::smaller || verdict.seen == LevelVerdict::Seen::confirmed;
}

// Both curves show the level, but its end at different sizes. A few misses raise the latency at once, while
// prefetches hide them from the bandwidth.
LevelVerdict verdict_of_both_ends(const LevelVerdict& latency, const LevelVerdict& bandwidth,
                                  std::uint64_t claimed_bytes) {
  const auto [least, most] = std::minmax(latency.bytes, bandwidth.bytes);
  return {LevelVerdict::Seen::smaller,
          least,
          std::min(latency.sure_bytes, bandwidth.sure_bytes),
          {NoteCode::part_by_both_curves,
           {double(least), double(most), double(claimed_bytes), edge_text(latency.bytes, latency.sure_bytes),
            edge_text(bandwidth.bytes, bandwidth.sure_bytes)}}};
}

// Both curves together. An edge that one of them does not show confirms nothing and contradicts nothing. Nor
// does bandwidth that is still the same beyond the edge of latency: prefetches hide the next level.
LevelVerdict agreed(const LevelVerdict& latency, const LevelVerdict& bandwidth, std::uint64_t claimed_bytes) {
  using Seen = LevelVerdict::Seen;
  if (latency.seen == Seen::not_judged && latency.remark.empty()) return bandwidth;  // no such curve
  if (bandwidth.seen == Seen::not_judged) return latency;
  if (latency.seen == Seen::not_judged) return bandwidth;
  if (latency.seen == Seen::maybe_tlb) return bandwidth.seen == Seen::no_edge ? latency : bandwidth;
  const bool one_is_smaller = latency.seen == Seen::smaller || bandwidth.seen == Seen::smaller;
  if (one_is_smaller && is_at_most_claimed(latency) && is_at_most_claimed(bandwidth) &&
      latency.bytes != bandwidth.bytes)
    return verdict_of_both_ends(latency, bandwidth, claimed_bytes);
  if (latency.seen == bandwidth.seen) return latency;
  if (latency.seen == Seen::like_memory && bandwidth.seen == Seen::no_edge) return latency;
  if (latency.seen == Seen::confirmed && bandwidth.seen == Seen::larger) return latency;
  const bool one_edge = latency.seen == Seen::no_edge || bandwidth.seen == Seen::no_edge;
  if (one_edge && latency.seen == Seen::confirmed) return latency;
  if (one_edge && bandwidth.seen == Seen::confirmed) return bandwidth;
  return {Seen::no_edge,
          0,
          0,
          {NoteCode::curves_disagree,
           {in_short("latency", latency, claimed_bytes), in_short("bandwidth", bandwidth, claimed_bytes),
            double(claimed_bytes)}}};
}

// A latency without an edge near the claim that is already memory's well below it. Bandwidth tells no such
// thing: prefetches from memory may be as fast as a cache.
void find_memory(const std::vector<Step>& latency, const std::vector<CacheClaim>& claims,
                 std::vector<LevelVerdict>& verdicts) {
  if (latency.empty()) return;
  const auto first = std::ranges::find_if(
      latency, [&](const Step& step) { return step.time * latency_rises > latency.back().time; });
  for (std::size_t k = 0; k < claims.size(); ++k) {
    LevelVerdict& verdict = verdicts[k];
    if (verdict.seen != LevelVerdict::Seen::no_edge || verdict.bytes > 0 ||
        first->bytes > least_claim * static_cast<double>(claims[k].bytes))
      continue;
    verdict.seen = LevelVerdict::Seen::like_memory;
    verdict.sure_bytes = static_cast<std::uint64_t>(first->bytes);
  }
}

// Beyond the reach of the TLB for small pages, latency rises within a cache that holds the data.
void doubt_small_pages(const Curve& latency, std::vector<LevelVerdict>& verdicts) {
  constexpr std::uint64_t large = 2 << 20;
  if (latency.pages.bytes() >= large) return;
  for (LevelVerdict& verdict : verdicts) {
    if (verdict.seen != LevelVerdict::Seen::smaller) continue;
    verdict.seen = LevelVerdict::Seen::maybe_tlb;
    verdict.remark = {NoteCode::cache_or_tlb,
                      {edge_text(verdict.bytes, verdict.sure_bytes), double(latency.pages.bytes())}};
    verdict.bytes = 0;
  }
}

std::vector<LevelVerdict> verdicts_of(const std::vector<Step>& steps, double least_rise,
                                      const std::vector<CacheClaim>& claims) {
  if (steps.empty()) return std::vector<LevelVerdict>(claims.size());
  const auto matched = match_plateaus(plateaus(steps, least_rise), claims);
  std::vector<LevelVerdict> verdicts;
  for (std::size_t k = 0; k < claims.size(); ++k)
    verdicts.push_back(verdict_on(claims[k].bytes, matched[k], steps));
  return verdicts;
}

std::vector<CacheLevel> unclaimed_levels(int cluster, const std::vector<Step>& steps, double least_rise) {
  std::vector<CacheLevel> levels;
  for (const Plateau& plateau : plateaus(steps, least_rise)) {
    const Level name = Level::cache(static_cast<int>(levels.size()) + 1);
    levels.push_back({cluster, name, 0, plateau.last_bytes, false, NoteCode::not_in_topology});
  }
  return levels;
}

std::vector<CacheLevel> levels_of(int cluster, const std::vector<Roof>& ladder,
                                  const std::vector<CacheClaim>& claims) {
  const Curve latency_curve = curve_of(ladder, cluster, Kind::latency);
  const std::vector<Step>& latency = latency_curve.steps;
  const std::vector<Step> bandwidth = curve_of(ladder, cluster, Kind::bandwidth).steps;
  if (claims.empty())
    return latency.empty() ? unclaimed_levels(cluster, bandwidth, bandwidth_falls)
                           : unclaimed_levels(cluster, latency, latency_rises);
  std::vector<CacheLevel> levels;
  if (latency.empty() && bandwidth.empty()) return levels;
  std::vector<LevelVerdict> by_latency = verdicts_of(latency, latency_rises, claims);
  find_memory(latency, claims, by_latency);
  doubt_small_pages(latency_curve, by_latency);
  const std::vector<LevelVerdict> by_bandwidth = verdicts_of(bandwidth, bandwidth_falls, claims);
  for (std::size_t k = 0; k < claims.size(); ++k) {
    const LevelVerdict verdict = agreed(by_latency[k], by_bandwidth[k], claims[k].bytes);
    levels.push_back({cluster, Level::cache(claims[k].level), claims[k].bytes, verdict.bytes,
                      verdict.seen == LevelVerdict::Seen::confirmed, verdict.remark});
  }
  return levels;
}

}  // namespace

std::vector<CacheLevel> confirm_levels(const std::vector<Roof>& ladder,
                                       const std::vector<CacheClaim>& claims) {
  std::vector<CacheLevel> levels;
  for (const int cluster : clusters_in(ladder)) {
    const auto known = those(claims, [&](const CacheClaim& claim) {
      return claim.bytes > 0 && (claim.cluster < 0 || claim.cluster == cluster);
    });
    add_all(levels, levels_of(cluster, ladder, known));
  }
  return levels;
}

}  // namespace gable::model
