#include "model/predict/needs/part_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/points/limits/mix_limits.hpp"
#include "model/points/needs/instruction_rates.hpp"
#include "model/points/needs/needs.hpp"
#include "model/points/needs/stalls/branches.hpp"
#include "model/points/threads.hpp"
#include "model/points/verdict_words.hpp"
#include "model/predict/needs/changed_lines.hpp"
#include "model/predict/needs/part_time.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

// So much time that no need contradicts it: needs are then compared with the roofs alone.
constexpr double long_enough = 1e12;

NeedTime::Group group_of_limit(const Limit& limit) {
  switch (limited_part(limit)) {
    case LimitPart::core:
      return NeedTime::Group::core;
    case LimitPart::transfer:
      return NeedTime::Group::transfer;
    case LimitPart::waiting:
      break;
  }
  switch (limit.kind) {
    case Limit::Kind::irregular:
      return NeedTime::Group::random;
    case Limit::Kind::chain:
      return NeedTime::Group::chain;
    case Limit::Kind::walks:
      return NeedTime::Group::walks;
    case Limit::Kind::contention:
      return NeedTime::Group::cores;
    default:
      return NeedTime::Group::wait;
  }
}

// Whether it is of the memory, or of a cache in front of it whose part is not known.
bool is_of_memory(const Need& need, const Point& point) {
  const Limit::Kind kind = need.limit.kind;
  const auto level = limited_level(need.limit);
  return level && is_memory(*level) && kind != Limit::Kind::irregular &&
         (kind != Limit::Kind::side_cache || !has_side_cache(point.levels));
}

std::string unit_name(const Need& need, const Point& point) {
  return is_of_memory(need, point) ? Level::memory().name() : culprit(need.limit);
}

// Walks do not wait for loads (those of lines that wait are in the figures of these), so most likely they
// overlap as far as those of random loads do. A mix of memories without a fitted model has two bounds alone.
double likely_share(const Need& need) {
  if (need.limit.kind == Limit::Kind::walks) return need.lo;
  if (need.room != Need::Room::unknown && need.perhaps_in.empty()) return need.share;
  const bool is_between = need.is_range || !need.limit.fitted;
  return is_between && need.lo > 0 ? std::sqrt(need.lo * need.hi) : need.share;
}

// The cost of branches by themselves is a need of its own (add_instructions).
Need without_besides(Need need) {
  need.share = std::max(0.0, need.share - need.besides.share);
  need.lo -= need.besides.lo;
  need.hi -= need.besides.hi;
  return need;
}

NeedTime time_of_need(const Need& whole, const Point& point) {
  const Need need = without_besides(whole);
  const double middle = likely_share(need);
  std::array<double, roof_ends> seconds = {middle, need.lo, need.hi, middle, middle};
  if (need.is_range || need.room != Need::Room::unknown || need.limit.kind == Limit::Kind::branches)
    seconds = {middle, middle, middle, need.lo, need.hi};
  for (double& each : seconds) each *= long_enough;
  return {group_of_limit(need.limit), culprit(need.limit), unit_name(need, point), seconds,
          need.limit.kind == Limit::Kind::flops};
}

// The lines of memory that other needs count.
double counted_elsewhere(const Point& point, const std::vector<Need>& needs) {
  double bytes = 0;
  for (const Need& need : needs) {
    if (need.limit.kind == Limit::Kind::irregular && !is_cache(need.limit.level))
      bytes += point.levels.back().irregular;
    if (need.limit.kind == Limit::Kind::chain) bytes += point.levels.back().chained;
  }
  return bytes;
}

// The same Point, if it only moved these bytes.
Point moving(const Point& point, std::vector<LevelBytes> levels) {
  Point other = point;
  other.levels = std::move(levels);
  other.flops = other.load_bytes = other.store_bytes = 0;
  other.arithmetic.clear();
  other.instructions = {};
  other.functions.clear();
  other.translation.reset();
  return other;
}

// The needs of the Point. Lines of memory that have a need of their own do not take the memory's time: it
// gets as much less as it would take to load them in order.
std::vector<NeedTime> times_of_needs(const Place& place, const Point& point, int cluster) {
  const std::vector<Need> needs = needs_of(*place.roofs, point, cluster, place.hybrid);
  const double counted = is_memory(point.levels.back().level) ? counted_elsewhere(point, needs) : 0;
  std::array<double, roof_ends> less{};
  if (counted > 0) {
    std::vector<LevelBytes> loads = point.levels;
    for (LevelBytes& level : loads) level *= 0;
    loads.back().read = counted;
    for (const Need& need : needs_of(*place.roofs, moving(point, loads), cluster, place.hybrid)) {
      if (is_of_memory(need, point)) less = time_of_need(need, point).seconds;
    }
  }
  std::vector<NeedTime> times;
  for (const Need& need : needs) {
    times.push_back(time_of_need(need, point));
    if (!is_of_memory(need, point)) continue;
    for (std::size_t i = 0; i < less.size(); ++i)
      times.back().seconds[i] = std::max(0.0, times.back().seconds[i] - less[i]);
  }
  return times;
}

// Whether a fitted model tells the bandwidth of these memories together.
bool has_fitted_mix(const Place& place, const Point& point, int cluster) {
  const std::vector<Limit> limits =
      memory_limits(*place.roofs, point, cluster, node_shares(point), place.hybrid);
  return std::ranges::any_of(
      limits, [](const Limit& limit) { return limit.kind == Limit::Kind::hybrid && limit.fitted; });
}

// What the memories serve, and the loads that wait for them.
bool is_by_node(const NeedTime& need) {
  return need.unit == Level::memory().name() || need.group == NeedTime::Group::random ||
         need.group == NeedTime::Group::chain;
}

// The part of the lines without an order that a memory serves has as large a part of the instructions.
double part_of_irregular(const std::vector<LevelBytes>& levels, const Point& point) {
  const double all = point.levels.back().irregular;
  return all > 0 ? std::min(1.0, levels.back().irregular / all) : 0;
}

// Each memory is a part of the machine by itself, which works at the same time as the others. A core waits
// for lines of one memory after those of another one.
void put_by_node(const Place& place, const Point& point, const NodeLevels& nodes, int cluster,
                 std::vector<NeedTime>& needs) {
  std::erase_if(needs, is_by_node);
  for (const auto& [node, levels] : nodes) {
    Point own = moving(point, levels);
    const double part = part_of_irregular(levels, point);
    own.instructions.executed = point.instructions.executed * part;
    own.instructions.stores = point.instructions.stores * part;
    forget_access(own);
    own.node_bytes = {{node, 1}};
    for (NeedTime& need : times_of_needs(place, own, cluster)) {
      if (!is_by_node(need)) continue;
      if (need.unit == Level::memory().name()) need.what += fmt::format(" (node {})", node);
      const auto same = std::ranges::find(needs, need.what, &NeedTime::what);
      if (same == needs.end()) {
        needs.push_back(std::move(need));
      } else {
        for (std::size_t i = 0; i < need.seconds.size(); ++i) same->seconds[i] += need.seconds[i];
      }
    }
  }
}

// Where the Point's data lies, by what passes between each memory and the caches.
void set_access(Point& point, const NodeLevels& nodes) {
  forget_access(point);
  point.access_source = AccessSource::profile;
  for (const auto& [node, levels] : nodes) {
    if (levels.back().read + levels.back().written > 0)
      point.access.push_back({node, -1, levels.back().read, levels.back().written});
  }
}

std::vector<NeedTime> needs_by_node(const Place& place, Point point, const NodeLevels& nodes, int cluster) {
  set_access(point, nodes);
  const bool is_alone = point.alone && point.cluster >= 0;
  std::vector<NeedTime> needs = times_of_needs(place, point, cluster);
  if (is_alone && point.access.size() > 1 && !has_fitted_mix(place, point, cluster))
    put_by_node(place, point, nodes, cluster, needs);
  return needs;
}

// All instructions, and what mispredicted branches throw away.
void add_instructions(const Place& place, const Point& point, int cluster, PartNeeds& part) {
  const auto adds = integer_limit(*place.roofs, point, cluster);
  const Instructions& counts = point.instructions;
  if (!adds || counts.executed <= 0) return;
  const double share = cluster_share(*place.roofs, point);
  const auto all = [](double seconds) { return std::array{seconds, seconds, seconds, seconds, seconds}; };
  part.needs.push_back({NeedTime::Group::core, "instructions", "instructions",
                        all(share * counts.executed / PredictParameters().per_addition / adds->value / 1e9)});
  std::array<double, roof_ends> branches = all(0);
  if (const auto cost = seconds_of_branches(*place.roofs, cluster, counts)) {
    branches = {cost->value, cost->lo, cost->hi, cost->value, cost->value};
  } else if (const double clock = cluster_clock(*place.roofs, cluster); clock > 0) {
    const double cycles = counts.flushes() * PredictParameters().cycles_of_flush + counts.resolving_cycles;
    branches = all(cycles / clock / 1e9);
  }
  for (double& seconds : branches) seconds *= share / adds->threads;
  if (branches.back() > 0)
    part.needs.push_back(
        {NeedTime::Group::flush, "mispredicted branches", "mispredicted branches", branches});
}

PartNeeds needs_of_part(const Place& place, const WorkPart& part, int cluster) {
  Point point = part.point;
  point.seconds = point.seconds_lo = point.seconds_hi = long_enough;
  PartNeeds found{part.name, {}, point.load_bytes + point.store_bytes, part.loop};
  if (auto meetings = meetings_need(*place.roofs, point, part.meetings))
    found.needs.push_back(*std::move(meetings));
  if (point.levels.empty()) return found;
  found.needs = part.nodes.empty() ? times_of_needs(place, point, cluster)
                                   : needs_by_node(place, point, part.nodes, cluster);
  if (auto lines = changed_lines_need(*place.roofs, point, cluster)) found.needs.push_back(*std::move(lines));
  add_instructions(place, point, cluster, found);
  return found;
}

}  // namespace

std::vector<PartNeeds>::iterator same_part(std::vector<PartNeeds>& among, const PartNeeds& part) {
  return std::ranges::find_if(
      among, [&](const PartNeeds& each) { return each.name == part.name && each.loop == part.loop; });
}

std::vector<PartNeeds> needs_of_parts(const Place& place, const WorkParts& parts) {
  if (parts.empty()) return {};
  const int own = parts.front().point.cluster;
  const std::set<int> clusters = own >= 0 ? std::set{own} : clusters_of(*place.roofs);
  std::vector<PartNeeds> slowest;
  double longest = -1;
  for (const int cluster : clusters) {
    std::vector<PartNeeds> needs;
    for (const WorkPart& part : parts) needs.push_back(needs_of_part(place, part, cluster));
    const double seconds = predicted_time(needs, Overlap());
    if (seconds <= longest) continue;
    longest = seconds;
    slowest = std::move(needs);
  }
  return slowest;
}

}  // namespace gable::model
