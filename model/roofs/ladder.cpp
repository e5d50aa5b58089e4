// Matches the plateaus of a working-set ladder with the claimed cache levels. The size of a level is the
// largest working set that is still about as fast as its plateau.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include "base/pages.hpp"
#include "base/words.hpp"
#include "model/roofs/plateaus.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {
namespace {

constexpr double least_claim = 0.45;  // the share of a claimed size that must be seen to confirm it
constexpr double most_claim = 1.3;

std::vector<Step> steps_of(const std::vector<Roof>& ladder, int cluster, const char* kind,
                           const std::string& pages) {
  std::vector<Step> steps;
  for (const Roof& roof : ladder) {
    const Case& asked = roof.asked;
    const bool latency = asked.kind == "latency";
    if (roof.status != Status::ok || asked.cluster != cluster || asked.threads != 1 || asked.kind != kind ||
        asked.pages != pages || (!latency && asked.op != "load")) {
      continue;
    }
    const auto bytes = static_cast<double>(asked.bytes);
    if (latency) {
      steps.push_back({bytes, roof.value, roof.lo, roof.hi});
    } else {
      steps.push_back({bytes, 1 / roof.value, 1 / roof.hi, roof.lo > 0 ? 1 / roof.lo : HUGE_VAL});
    }
  }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.bytes < b.bytes; });
  return steps;
}

// One curve of a cluster with one thread. Prefers large pages to small ones where they are nearly complete,
// because the TLB affects these least.
std::vector<Step> curve_of(const std::vector<Roof>& ladder, int cluster, const char* kind) {
  std::vector<Step> best;
  const auto larger = [](const std::string& a, const std::string& b) {
    return page_size_bytes(a) > page_size_bytes(b);
  };
  std::set<std::string, decltype(larger)> sizes;
  for (const Roof& roof : ladder) sizes.insert(roof.asked.pages);
  for (const std::string& pages : sizes) {
    std::vector<Step> steps = steps_of(ladder, cluster, kind, pages);
    if (3 * steps.size() > 4 * best.size()) best = std::move(steps);
  }
  return best;
}

// What one curve says of one claim.
struct Verdict {
  enum class Seen { confirmed, smaller, larger, no_edge, not_judged };
  Seen seen = Seen::not_judged;
  std::uint64_t bytes = 0;  // where the plateau ends
  std::string remark;
};

// Why the curve cannot tell; empty if it can.
std::string not_judged(std::uint64_t claimed_bytes, const std::vector<Step>& steps) {
  const auto claim = static_cast<double>(claimed_bytes);
  if (steps.back().bytes < most_claim * claim) {
    return fmt::format("the ladder ends at {}, too early to confirm it",
                       bytes_text(static_cast<std::uint64_t>(steps.back().bytes)));
  }
  const auto lies_in = [&](double from, double to) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      return step.bytes > from * claim && step.bytes <= to * claim;
    });
  };
  if (lies_in(1 / largest_gap, 1) && lies_in(1, largest_gap)) return {};
  return fmt::format("too few steps of the ladder around {}", bytes_text(claimed_bytes));
}

Verdict verdict_on(std::uint64_t claimed_bytes, const std::optional<Plateau>& plateau,
                   const std::vector<Step>& steps) {
  using Seen = Verdict::Seen;
  const std::string claimed = bytes_text(claimed_bytes);
  const std::uint64_t bytes = plateau ? plateau->last_bytes : 0;
  const double share = static_cast<double>(bytes) / static_cast<double>(claimed_bytes);
  if (share >= least_claim && share <= most_claim) return {Seen::confirmed, bytes, ""};
  if (std::string why = not_judged(claimed_bytes, steps); !why.empty())
    return {Seen::not_judged, bytes, std::move(why)};
  if (bytes == 0) return {Seen::no_edge, 0, fmt::format("no plateau ends near the claimed {}", claimed)};
  const std::string seen = bytes_text(bytes);
  if (share < 1) {
    const std::string sure = bytes_text(plateau->sure_bytes);
    if (static_cast<double>(plateau->sure_bytes) >= least_claim * static_cast<double>(claimed_bytes)) {
      return {Seen::no_edge, 0,
              fmt::format("unclear: slower beyond {}, but up to {} within the intervals; {} claimed", seen,
                          sure, claimed)};
    }
    return {Seen::smaller, bytes,
            fmt::format("slower beyond {}{}: one core cannot use all of the claimed {} (split, shared or "
                        "partitioned)",
                        seen, sure == seen ? "" : fmt::format(" (clearly beyond {})", sure), claimed)};
  }
  return {Seen::larger, bytes,
          fmt::format("still as fast at {}: larger than the claimed {}, or the host hides another level",
                      seen, claimed)};
}

std::string in_short(const char* curve, const Verdict& verdict, std::uint64_t claimed_bytes) {
  if (verdict.bytes == 0) return fmt::format("{} has no edge near {}", curve, bytes_text(claimed_bytes));
  return fmt::format("{} is flat up to {}", curve, bytes_text(verdict.bytes));
}

// Both curves together. An edge that one of them does not show confirms nothing and contradicts nothing.
Verdict agreed(const Verdict& latency, const Verdict& bandwidth, std::uint64_t claimed_bytes) {
  using Seen = Verdict::Seen;
  if (latency.seen == bandwidth.seen || bandwidth.seen == Seen::not_judged) return latency;
  if (latency.seen == Seen::not_judged) return bandwidth;
  const bool one_edge = latency.seen == Seen::no_edge || bandwidth.seen == Seen::no_edge;
  if (one_edge && latency.seen == Seen::confirmed) return latency;
  if (one_edge && bandwidth.seen == Seen::confirmed) return bandwidth;
  return {Seen::no_edge, 0,
          fmt::format("unclear: {}, {}; {} claimed", in_short("latency", latency, claimed_bytes),
                      in_short("bandwidth", bandwidth, claimed_bytes), bytes_text(claimed_bytes))};
}

double distance(const Plateau& plateau, std::uint64_t bytes) {
  return std::abs(std::log2(static_cast<double>(plateau.last_bytes) / static_cast<double>(bytes)));
}

// Matches claims with plateaus in order of size: as many as possible, and of these ways the one with the
// smallest sum of distances. A cache that neighbours or the host shrink is often nearer in size to the claim
// of the level before.
std::vector<std::optional<Plateau>> match(const std::vector<Plateau>& seen,
                                          const std::vector<CacheClaim>& claims) {
  struct Way {
    int matched = 0;
    double distance = 0;
    bool takes = false;  // the last plateau has the last claim
  };
  const auto better = [](const Way& a, const Way& b) {
    return a.matched != b.matched ? a.matched > b.matched : a.distance < b.distance;
  };
  // ways[i][k]: the best one for the first i plateaus and the first k claims.
  std::vector<std::vector<Way>> ways(seen.size() + 1, std::vector<Way>(claims.size() + 1));
  for (std::size_t i = 1; i <= seen.size(); ++i) {
    for (std::size_t k = 1; k <= claims.size(); ++k) {
      Way& way = ways[i][k];
      way = better(ways[i - 1][k], ways[i][k - 1]) ? ways[i - 1][k] : ways[i][k - 1];
      way.takes = false;
      const Way& before = ways[i - 1][k - 1];
      const Way both = {before.matched + 1, before.distance + distance(seen[i - 1], claims[k - 1].bytes),
                        true};
      if (better(both, way)) way = both;
    }
  }
  std::vector<std::optional<Plateau>> matched(claims.size());
  for (std::size_t i = seen.size(), k = claims.size(); i > 0 && k > 0;) {
    if (ways[i][k].takes) {
      matched[--k] = seen[--i];
    } else if (better(ways[i - 1][k], ways[i][k - 1])) {
      --i;
    } else {
      --k;
    }
  }
  return matched;
}

std::vector<Verdict> verdicts_of(const std::vector<Step>& steps, const std::vector<CacheClaim>& claims) {
  if (steps.empty()) return std::vector<Verdict>(claims.size());
  const auto matched = match(plateaus(steps), claims);
  std::vector<Verdict> verdicts;
  for (std::size_t k = 0; k < claims.size(); ++k)
    verdicts.push_back(verdict_on(claims[k].bytes, matched[k], steps));
  return verdicts;
}

std::vector<CacheLevel> unclaimed_levels(int cluster, const std::vector<Step>& steps) {
  std::vector<CacheLevel> levels;
  for (const Plateau& plateau : plateaus(steps)) {
    const std::string name = fmt::format("L{}", levels.size() + 1);
    levels.push_back({cluster, name, 0, plateau.last_bytes, false, "not in the topology"});
  }
  return levels;
}

std::vector<CacheLevel> levels_of(int cluster, const std::vector<Roof>& ladder,
                                  const std::vector<CacheClaim>& claims) {
  const std::vector<Step> latency = curve_of(ladder, cluster, "latency");
  const std::vector<Step> bandwidth = curve_of(ladder, cluster, "bandwidth");
  if (claims.empty()) return unclaimed_levels(cluster, latency.empty() ? bandwidth : latency);
  std::vector<CacheLevel> levels;
  if (latency.empty() && bandwidth.empty()) return levels;
  const std::vector<Verdict> by_latency = verdicts_of(latency, claims);
  const std::vector<Verdict> by_bandwidth = verdicts_of(bandwidth, claims);
  for (std::size_t k = 0; k < claims.size(); ++k) {
    const Verdict verdict = agreed(by_latency[k], by_bandwidth[k], claims[k].bytes);
    levels.push_back({cluster, fmt::format("L{}", claims[k].level), claims[k].bytes, verdict.bytes,
                      verdict.seen == Verdict::Seen::confirmed, verdict.remark});
  }
  return levels;
}

}  // namespace

std::vector<CacheLevel> confirm_levels(const std::vector<Roof>& ladder,
                                       const std::vector<CacheClaim>& claims) {
  std::vector<CacheClaim> known;
  std::copy_if(claims.begin(), claims.end(), std::back_inserter(known),
               [](const CacheClaim& claim) { return claim.bytes > 0; });
  std::set<int> clusters;
  for (const Roof& roof : ladder) clusters.insert(roof.asked.cluster);
  std::vector<CacheLevel> levels;
  for (const int cluster : clusters) {
    const std::vector<CacheLevel> more = levels_of(cluster, ladder, known);
    levels.insert(levels.end(), more.begin(), more.end());
  }
  return levels;
}

}  // namespace gable::model
