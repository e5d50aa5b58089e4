#include "model/points/needs/stalls/waiting.hpp"

#include <algorithm>
#include <optional>

#include "model/points/limits/mix_roof.hpp"
#include "model/points/needs/measured.hpp"
#include "model/points/needs/stalls/latency_at.hpp"
#include "model/points/needs/stalls/window.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

struct Waited {
  double bytes = 0, lo = 0, hi = 0, seconds = 0;  // of one thread
  bool known = true;                              // the latency of every level

  void add(double lines, const std::optional<MeasuredRange>& ns) {
    known = known && ns;
    if (!ns) return;
    bytes += lines * profile_line_bytes;
    lo += lines * ns->lo * 1e-9;
    hi += lines * ns->hi * 1e-9;
    seconds += lines * ns->value * 1e-9;
  }
};

// Bytes of a level that wait, and the sum of their spans.
struct Amount {
  double bytes = 0, spans = 0;
};
using AmountOf = Amount (*)(const LevelBytes&);

Amount chained_of(const LevelBytes& level) {
  return {level.chained, level.chained_spans};
}

Amount unordered_of(const LevelBytes& level) {
  return {level.irregular + level.chained, level.irregular_spans + level.chained_spans};
}

// A level serves the part of an amount that is not fetched from the next level.
struct Served {
  double lines = 0, span = 0;
};

Served served_by(const std::vector<LevelBytes>& levels, std::size_t at, AmountOf amount) {
  const Amount own = amount(levels[at]), next = at + 1 < levels.size() ? amount(levels[at + 1]) : Amount();
  return {std::max(0.0, own.bytes - next.bytes) / profile_line_bytes,
          served_span(own.bytes, own.spans, next.bytes, next.spans)};
}

Waited waited_for_chains(const Roofs& roofs, const Point& point, int cluster) {
  constexpr double little = 0.01;
  Waited sum;
  for (std::size_t i = 0; i < point.levels.size(); ++i) {
    const auto [lines, span] = served_by(point.levels, i, chained_of);
    if (lines * profile_line_bytes > little * point.levels.front().chained)
      sum.add(lines, latency_of_span(roofs, point, cluster, point.levels[i].level, span));
  }
  return sum;
}

Need need_of(const Point& point, int cluster_threads, double share, const Waited& waited, Limit::Kind kind,
             const char* name) {
  Need need;
  need.limit.kind = kind;
  need.limit.target = name;
  need.limit.threads = cluster_threads;
  const double threads = cluster_threads;
  need.lo = share * waited.lo / threads / point.seconds;
  need.hi = share * waited.hi / threads / point.seconds;
  need.share = share * waited.seconds / threads / point.seconds;
  need.bytes = share * waited.bytes;
  return need;
}

// The roof in GB/s that belongs to the shares.
void set_roof(const Point& point, Need& need) {
  need.limit.rate = need.bytes / point.seconds / 1e9;
  const auto at = [&](double share) { return share > 0 ? need.limit.rate / share : 0; };
  need.limit.value = at(need.share);
  need.limit.lo = at(need.hi);
  need.limit.hi = at(need.lo);
  need.limit.fitted = !need.is_range;
}

constexpr double most_at_once = 10;  // line fill buffers of a core

// More than all of the time, or a part of it that nobody knows: the need is as small as can be.
void make_range(Need& need) {
  need.is_range = true;
  need.hi = std::min(need.hi, 1.0);
  need.lo = std::min(need.lo, need.hi);
  need.share = need.lo;
}

std::optional<Need> chain_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  constexpr double overlap = 1.1;  // more time than this proves that chains overlap
  const Waited chained = waited_for_chains(roofs, point, cluster);
  if (chained.bytes <= 0 || !chained.known) return std::nullopt;
  Need need = need_of(point, threads, cluster_share(roofs, point), chained, Limit::Kind::chain, "latency");
  if (need.lo > overlap) {
    need.lo /= most_at_once;
    make_range(need);
  }
  return need;
}

Amount irregular_of(const LevelBytes& level) {
  return {level.irregular, level.irregular_spans};
}

// Loads that a core has under way one after the other are slower than random loads side by side. If the
// window was not measured, the need is a range. Loads that are spread by chance wait half as long as those of
// a loop at least. `part`: that one second of all threads is of the time.
void wait_by_window(const Window& window, const Point& point, std::size_t at, double part,
                    const MeasuredRange& latency, Need& need) {
  constexpr double by_chance = 0.5;
  const auto share_of = [&](double instructions, double ns) {
    return part * lines_waited_for(point, at, instructions) * ns * 1e-9;
  };
  const double most = share_of(window.least, latency.hi);
  if (most <= need.hi) return;
  need.is_by_window = true;
  need.is_range = !window.is_measured;
  need.hi = std::min(most, 1.0);
  need.share = std::clamp(share_of(window.likely, latency.value), need.share, need.hi);
  if (window.is_measured)
    need.lo = std::clamp(by_chance * share_of(window.most, latency.lo), need.lo, need.share);
}

std::optional<Need> irregular_need_at(const Roofs& roofs, const Point& point, int cluster, int threads,
                                      std::size_t at) {
  const Level& level = point.levels[at].level;
  const auto [lines, span] = served_by(point.levels, at, irregular_of);
  if (lines <= 0 || is_cache(level)) return std::nullopt;
  const auto latency = latency_of_span(roofs, point, cluster, level, span);
  if (const auto rate = random_rate(roofs, point, cluster, level, {}, span)) {
    Need need;
    need.limit.kind = Limit::Kind::irregular;
    need.limit.target = "random loads";
    need.limit.threads = threads;
    need.bytes = cluster_share(roofs, point) * profile_line_bytes * lines;
    const double per_second = cluster_share(roofs, point) * lines / point.seconds / 1e6;
    // Code that finds its addresses more cheaply than the measured loop may be faster.
    need.lo = std::min(per_second / rate->hi, 1.0);
    need.hi = std::min(per_second / rate->lo, 1.0);
    need.share =
        rate->value > 0 ? std::clamp(per_second / rate->value, need.lo, need.hi) : (need.lo + need.hi) / 2;
    if (latency)
      wait_by_window(window_of(roofs, cluster), point, at,
                     cluster_share(roofs, point) / threads / point.seconds, *latency, need);
    return need;
  }
  Waited irregular;
  irregular.add(lines, latency);
  if (!irregular.known) return std::nullopt;
  Need need = need_of(point, threads, cluster_share(roofs, point), irregular, Limit::Kind::irregular,
                      "irregular access");
  need.lo /= most_at_once;
  make_range(need);
  return need;
}

// Lines without an order from the memory, and from the cache in front of it one after the other.
std::optional<Need> irregular_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  const std::size_t last = point.levels.size() - 1;
  std::optional<Need> need = irregular_need_at(roofs, point, cluster, threads, last);
  if (!has_side_cache(point.levels)) return need;
  const std::optional<Need> side = irregular_need_at(roofs, point, cluster, threads, last - 1);
  if (!need || !side) return need ? need : side;
  need->share += side->share;
  need->lo += side->lo;
  need->hi += side->hi;
  need->bytes += side->bytes;
  need->is_range = need->is_range || side->is_range;
  need->is_by_window = need->is_by_window || side->is_by_window;
  return need;
}

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

std::optional<Need> branch_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  Waited sum;
  double of_functions = 0;
  for (const FunctionWork& function : point.functions) {
    const double mispredicted = function.instructions.mispredicted;
    if (!function.levels.empty()) of_functions += mispredicted;
    add_branches(roofs, point, cluster, function.levels, mispredicted, sum);
  }
  if (2 * of_functions < point.instructions.mispredicted) {
    sum = {};
    add_branches(roofs, point, cluster, point.levels, point.instructions.mispredicted, sum);
  }
  if (!sum.known) return std::nullopt;
  const double mispredicted = point.instructions.mispredicted;
  const auto cost = mispredicted_branch(roofs.roofs, cluster);
  if (sum.bytes <= 0 && (!cost || mispredicted <= 0)) return std::nullopt;
  const double share = cluster_share(roofs, point);
  Need need = need_of(point, threads, share, sum, Limit::Kind::branches, "mispredicted branches");
  need.lo /= most_at_once;  // loads of the predicted path are under way meanwhile
  // Real predictors may know more of them than the simulated one.
  if (cost) {
    need.besides = share * mispredicted * cost->hi * 1e-9 / threads / point.seconds;
    need.hi += need.besides;
    need.bytes = std::max(need.bytes, share * mispredicted * profile_line_bytes);
  }
  make_range(need);
  return need;
}

// The part of their page walks for which random loads of the memory wait: what a load of many at once loses
// by small pages, relative to what a load of a chain loses by them. Nothing if these figures are not known.
std::optional<double> waited_part(const Roofs& roofs, const Point& point, int cluster, int threads) {
  const PagesFilter is_small = [](Pages pages) { return !is_huge(pages); };
  const auto with = random_rate(roofs, point, cluster, Level::memory(), is_small);
  const auto without = random_rate(roofs, point, cluster, Level::memory(), is_huge);
  const auto slow = latency_of(roofs, point, cluster, Level::memory(), is_small);
  const auto fast = latency_of(roofs, point, cluster, Level::memory(), is_huge);
  if (!with || !without || !slow || !fast || slow->hi <= fast->lo) return std::nullopt;
  const double lost_ns = 1e3 * threads * (1 / with->hi - 1 / without->lo);
  return lost_ns / (slow->hi - fast->lo);
}

// The seconds that walks of pages of one size add: at least as if they overlapped as those of random loads
// do, at most one after the other in each thread.
MeasuredRange seconds_of_walks(const Point& point, double least_part, int threads, bool huge) {
  const PageWalks& walks = huge ? point.translation->huge : point.translation->small;
  return {walks.seconds_lo * least_part / threads, walks.seconds_hi / threads};
}

std::optional<Need> walk_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  if (!point.translation) return std::nullopt;
  const double least = 1 / most_at_once;
  const double part_of_small =
      std::clamp(waited_part(roofs, point, cluster, threads).value_or(least), least, 1.0);
  const MeasuredRange small = seconds_of_walks(point, part_of_small, threads, false);
  const MeasuredRange huge = seconds_of_walks(point, least, threads, true);
  const double part = cluster_share(roofs, point) / point.seconds;
  const double on_huge = point.huge_pages_percent.value_or(0) / 100;
  Need need;
  need.limit.kind = Limit::Kind::walks;
  need.limit.target = "address translation";
  need.limit.threads = threads;
  need.lo = part * ((1 - on_huge) * small.lo + on_huge * huge.lo);
  need.hi = part * ((1 - on_huge) * small.hi + on_huge * huge.hi);
  if (!point.huge_pages_percent) need.lo = std::min(need.lo, part * huge.lo);
  if (need.hi <= 0) return std::nullopt;
  need.on_huge_pages = part * huge.hi;
  need.bytes = cluster_share(roofs, point) * profile_line_bytes *
               ((1 - on_huge) * point.translation->small.walks + on_huge * point.translation->huge.walks);
  make_range(need);
  return need;
}

}  // namespace

std::vector<Need> waiting_needs(const Roofs& roofs, const Point& point, int cluster) {
  const int threads = cores_used(roofs, point, cluster);
  std::vector<Need> needs;
  if (threads <= 0 || point.levels.empty()) return needs;
  for (const auto make : {chain_need, irregular_need, branch_need, walk_need}) {
    std::optional<Need> need = make(roofs, point, cluster, threads);
    if (!need) continue;
    set_roof(point, *need);
    needs.push_back(*std::move(need));
  }
  return needs;
}

}  // namespace gable::model
