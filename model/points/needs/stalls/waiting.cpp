#include "model/points/needs/stalls/waiting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "model/points/limits/mix_roof.hpp"
#include "model/points/needs/instruction_rates.hpp"
#include "model/points/needs/measured.hpp"
#include "model/points/needs/stalls/branches.hpp"
#include "model/points/needs/stalls/latency_at.hpp"
#include "model/points/needs/stalls/waited.hpp"
#include "model/points/needs/stalls/window.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"
#include "model/roofs/ladder/usable_size.hpp"

namespace gable::model {
namespace {

Waited waited_for_chains(const Roofs& roofs, const Point& point, int cluster) {
  constexpr double little = 0.01;
  Waited sum;
  for (std::size_t i = 0; i < point.levels.size(); ++i) {
    const auto [lines, spans] = served_by(point.levels, i, chained_of);
    if (lines * profile_line_bytes > little * point.levels.front().chained)
      sum.add(lines, latency_of_spans(roofs, point, cluster, point.levels[i].level, spans));
  }
  return sum;
}

std::optional<Need> chain_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  constexpr double overlap = 1.1;  // more time than this proves that chains overlap
  const Waited chained = waited_for_chains(roofs, point, cluster);
  if (chained.bytes <= 0 || !chained.known) return std::nullopt;
  Need need = need_of(point, threads, cluster_share(roofs, point), chained, Limit::Kind::chain, "latency");
  const Window window = window_of(roofs, cluster);
  need.lo /= chains_side_by_side(point, window.most);
  need.chains = chains_side_by_side(point, window.likely);
  need.share /= need.chains;
  need.hi /= chains_side_by_side(point, window.least);
  if (need.lo > overlap) {
    need.lo /= most_at_once;
    make_range(need);
  }
  return need;
}

// Loads that a core has under way one after the other are slower than random loads side by side. If the
// window was not measured, the need is a range; of an unknown room for stores, no value in it is likely.
// Loads that are spread by chance wait half as long as those of a loop at least. If even that takes longer
// than the program, its lines come sooner than it loads them. `part`: that one second of all threads is of
// the time.
void wait_by_window(const Roofs& roofs, int cluster, const Point& point, std::size_t at, double part,
                    const MeasuredRange& latency, Need& need) {
  constexpr double by_chance = 0.5;
  const Window window = window_of(roofs, cluster), stores = store_window_of(roofs, cluster);
  const auto share_of = [&](double Window::*end, double ns) {
    return part * lines_waited_for(point, at, window.*end, stores.*end) * ns * 1e-9;
  };
  const double most = share_of(&Window::least, latency.hi);
  const double probable = share_of(&Window::likely, latency.value);
  if (probable <= need.share && (most <= need.hi || need.room == Need::Room::buffers)) {
    need.hi = std::clamp(most, need.hi, 1.0);
    return;
  }
  if (by_chance * share_of(&Window::most, latency.lo) > at_most_of_time) {
    need.is_sooner = true;
    make_range(need);
    need.hi = 1;
    return;
  }
  const double loads = lines_waited_for(point, at, window.likely);
  const bool by_stores = loads < lines_waited_for(point, at, window.likely, stores.likely);
  need.room = by_stores ? Need::Room::stores : Need::Room::instructions;
  need.is_range = !(by_stores ? stores : window).is_measured;
  need.hi = std::clamp(most, need.hi, 1.0);
  const bool is_known = !by_stores || stores.is_measured;
  need.share = std::clamp(is_known ? probable : std::sqrt(need.lo * need.hi), need.share, need.hi);
  if (!need.is_range)
    need.lo = std::clamp(by_chance * share_of(&Window::most, latency.lo), need.lo, need.share);
}

// Bandwidths of the ladder may show that the cache before the memory holds lines of this span, and latencies
// that it does not: of a cache that other programs use too, a program gets the more the sooner it uses lines
// again.
void leave_open_if_cached(const Roofs& roofs, const Point& point, int cluster, std::size_t at, double span,
                          const std::optional<MeasuredRange>& latency, Need& need) {
  if (at == 0 || span <= 0) return;
  const Level& cache = point.levels[at - 1].level;
  for (const CacheLevel& level : roofs.levels) {
    if (level.cluster != cluster || level.level != cache || level.confirmed || !level.measured_bytes)
      continue;
    if (usable_size(roofs, level).streams < span) continue;
    const auto near = latency_of(roofs, point, cluster, cache);
    need.lo *= near && latency ? std::min(1.0, near->lo / latency->hi) : 0;
    need.is_range = true;
    need.perhaps_in = cache.name();
  }
}

// Of so many lines without an order; the shares are not known yet.
Need need_of_lines(const Roofs& roofs, const Point& point, int threads, double lines, std::string target) {
  Need need;
  need.limit.kind = Limit::Kind::irregular;
  need.limit.target = std::move(target);
  need.limit.threads = threads;
  need.bytes = cluster_share(roofs, point) * profile_line_bytes * lines;
  return need;
}

std::optional<Need> irregular_need_at(const Roofs& roofs, const Point& point, int cluster, int threads,
                                      std::size_t at) {
  const Level& level = point.levels[at].level;
  const auto [lines, spans] = served_by(point.levels, at, irregular_of);
  if (lines <= 0 || is_cache(level)) return std::nullopt;
  const auto latency = latency_of_spans(roofs, point, cluster, level, spans);
  if (const auto rate = random_rate(roofs, point, cluster, level, {}, spans.mean)) {
    Need need = need_of_lines(roofs, point, threads, lines, "random loads");
    const double per_second = cluster_share(roofs, point) * lines / point.seconds / 1e6;
    // Code that finds its addresses more cheaply than the measured loop may be faster.
    need.lo = std::min(per_second / rate->hi, 1.0);
    need.hi = std::min(per_second / rate->lo, 1.0);
    need.share =
        rate->value > 0 ? std::clamp(per_second / rate->value, need.lo, need.hi) : (need.lo + need.hi) / 2;
    if (latency)
      wait_by_window(roofs, cluster, point, at, cluster_share(roofs, point) / threads / point.seconds,
                     *latency, need);
    leave_open_if_cached(roofs, point, cluster, at, spans.mean, latency, need);
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
  if (need->room == Need::Room::unknown) need->room = side->room;
  return need;
}

// Whether a load takes no longer than the other instructions that a core has room for meanwhile, or nobody
// knows how long these take.
bool is_hidden(const Roofs& roofs, const Point& point, int cluster, const Window& window, double latency_ns) {
  const auto adds = integer_limit(roofs, point, cluster);
  return !adds || latency_ns * adds->value / adds->threads <= window.likely;
}

// At most so many lines are under way at once. `part`: that one second of all threads is of the time. Lines
// at constant distances may be prefetched, and then take no time. If the others take longer than the program,
// they are prefetched, too.
void wait_by_buffers(const Point& point, std::size_t at, double part, const MeasuredRange& latency,
                     Need& need) {
  constexpr double most = 16;    // line fill buffers of the cores with the most of them
  constexpr double likely = 12;  // as measured (docs/programs/waiting.md)
  const double all = served_by(point.levels, at, irregular_of).lines;
  const double apart = std::max(0.0, all - served_by(point.levels, at, strided_of).lines);
  const auto share_of = [&](double lines, double ns, double at_once) {
    return part * lines * ns * 1e-9 / at_once;
  };
  if (share_of(apart, latency.lo, most) > at_most_of_time) {
    need.is_sooner = true;
    make_range(need);
    need.hi = 1;
    return;
  }
  need.lo = std::min(1.0, share_of(apart, latency.lo, most));
  need.hi = std::min(1.0, share_of(all, latency.hi, most_at_once));
  need.share = std::clamp(share_of(apart, latency.value, likely), need.lo, need.hi);
  need.is_range = true;
  need.room = Need::Room::buffers;
}

// Lines without an order from a cache, for which no rate of random loads was measured: a core waits for them
// by its line fill buffers, and by its window.
std::optional<Need> cached_need(const Roofs& roofs, const Point& point, int cluster, int threads,
                                std::size_t at) {
  const Level& level = point.levels[at].level;
  const auto [lines, spans] = served_by(point.levels, at, irregular_of);
  if (lines <= 0 || !is_cache(level)) return std::nullopt;
  const auto latency = latency_of_spans(roofs, point, cluster, level, spans);
  if (!latency) return std::nullopt;
  Need need = need_of_lines(roofs, point, threads, lines, fmt::format("random loads from {}", level.name()));
  need.limit.level = level;
  const double part = cluster_share(roofs, point) / threads / point.seconds;
  wait_by_buffers(point, at, part, *latency, need);
  if (!need.is_sooner && !is_hidden(roofs, point, cluster, window_of(roofs, cluster), latency->value))
    wait_by_window(roofs, cluster, point, at, part, *latency, need);
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
MeasuredRange seconds_of_walks(const Point& point, double least_part, bool huge) {
  const PageWalks& walks = huge ? point.translation->huge : point.translation->small;
  return {walks.seconds_lo * least_part, walks.seconds_hi};
}

std::optional<Need> walk_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  if (!point.translation) return std::nullopt;
  const double least = 1 / most_at_once;
  const double part_of_small =
      std::clamp(waited_part(roofs, point, cluster, threads).value_or(least), least, 1.0);
  const MeasuredRange small = seconds_of_walks(point, part_of_small, false);
  const MeasuredRange huge = seconds_of_walks(point, least, true);
  const double share = cluster_share(roofs, point);
  const double part = part_of_busiest(point, share, threads) / point.seconds;
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
  need.bytes = share * profile_line_bytes *
               ((1 - on_huge) * point.translation->small.walks + on_huge * point.translation->huge.walks);
  make_range(need);
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

}  // namespace

std::vector<Need> waiting_needs(const Roofs& roofs, const Point& point, int cluster) {
  const int threads = cores_used(roofs, point, cluster);
  std::vector<Need> needs;
  if (threads <= 0 || point.levels.empty()) return needs;
  for (const auto make : {chain_need, irregular_need, branch_need, walk_need}) {
    std::optional<Need> need = make(roofs, point, cluster, threads);
    if (!need) continue;
    needs.push_back(*std::move(need));
  }
  for (std::size_t at = 0; at < point.levels.size(); ++at) {
    if (auto need = cached_need(roofs, point, cluster, threads, at)) needs.push_back(*std::move(need));
  }
  for (Need& need : needs) set_roof(point, need);
  return needs;
}

}  // namespace gable::model
