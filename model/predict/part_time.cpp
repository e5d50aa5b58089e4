#include "model/predict/part_time.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/lists.hpp"
#include "model/points/cause.hpp"
#include "model/points/needs/arithmetic.hpp"
#include "model/points/needs/needs.hpp"
#include "model/points/threads.hpp"
#include "model/roofs/branch_cost.hpp"

namespace gable::model {
namespace {

// So much time that no need contradicts it: needs are then compared with the roofs alone.
constexpr double long_enough = 1e12;

NeedTime::Group group_of_limit(const Limit& limit) {
  switch (limit.kind) {
    case Limit::Kind::flops:
    case Limit::Kind::integer:
      return NeedTime::Group::core;
    case Limit::Kind::cache:
      return is_first_cache(limit.level) ? NeedTime::Group::core : NeedTime::Group::transfer;
    case Limit::Kind::memory:
    case Limit::Kind::hybrid:
    case Limit::Kind::side_cache:
      return NeedTime::Group::transfer;
    case Limit::Kind::irregular:
      return NeedTime::Group::random;
    case Limit::Kind::chain:
      return NeedTime::Group::chain;
    case Limit::Kind::walks:
      return NeedTime::Group::walks;
    case Limit::Kind::branches:
      return NeedTime::Group::wait;
  }
  return NeedTime::Group::core;
}

double clock_of_cluster(const Roofs& roofs, int cluster) {
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.cluster == cluster && roof.clock_ghz > 0) return roof.clock_ghz;
  }
  return 0;
}

bool is_of_memory(const Need& need) {
  const auto level = limited_level(need.limit);
  return level && is_memory(*level) && need.limit.kind != Limit::Kind::irregular;
}

std::string unit_name(const Need& need) {
  const auto level = limited_level(need.limit);
  return is_of_memory(need) ? level->name() : culprit(need.limit);
}

// Walks do not wait for loads (those of lines that wait are in the figures of these), so most likely they
// overlap as far as those of random loads do.
double likely_share(const Need& need, double hi) {
  if (need.limit.kind == Limit::Kind::walks) return need.lo;
  return need.is_range && need.lo > 0 ? std::sqrt(need.lo * hi) : need.share;
}

// The cost of branches by themselves is a need of its own (add_instructions).
NeedTime time_of_need(const Need& need) {
  const double hi = need.hi - need.besides;
  const double middle = likely_share(need, hi);
  std::array<double, roof_ends> seconds = {middle, need.lo, hi, middle, middle};
  if (need.is_range) seconds = {middle, middle, middle, need.lo, hi};
  for (double& each : seconds) each *= long_enough;
  return {group_of_limit(need.limit), culprit(need.limit), unit_name(need), seconds};
}

// The part of the memory's bytes that other needs count.
double counted_elsewhere(const Point& point, const std::vector<Need>& needs) {
  const LevelBytes& memory = point.levels.back();
  const double all = memory.read + memory.written;
  if (all <= 0 || !is_memory(memory.level)) return 0;
  double bytes = 0;
  for (const Need& need : needs) {
    if (need.limit.kind == Limit::Kind::irregular) bytes += memory.irregular;
    if (need.limit.kind == Limit::Kind::chain) bytes += memory.chained;
  }
  return std::min(1.0, bytes / all);
}

// All instructions at the rate of additions, and what mispredicted branches throw away.
void add_instructions(const Place& place, const Point& point, int cluster, PartNeeds& part) {
  const auto adds = integer_limit(*place.roofs, point, cluster);
  const Instructions& counts = point.instructions;
  if (!adds || counts.executed <= 0) return;
  const double share = cluster_share(*place.roofs, point);
  const auto all = [](double seconds) { return std::array{seconds, seconds, seconds, seconds, seconds}; };
  part.needs.push_back({NeedTime::Group::core, "instructions", "instructions",
                        all(share * counts.executed / adds->value / 1e9)});
  const double branches = share * counts.mispredicted / adds->threads;
  std::array<double, roof_ends> each = all(0);  // seconds of a branch
  if (const auto cost = mispredicted_branch(place.roofs->roofs, cluster)) {
    each = {cost->value * 1e-9, cost->lo * 1e-9, cost->hi * 1e-9, cost->value * 1e-9, cost->value * 1e-9};
  } else if (const double clock = clock_of_cluster(*place.roofs, cluster); clock > 0) {
    each = all(PredictParameters().cycles_of_flush / clock / 1e9);
  }
  for (double& seconds : each) seconds *= branches;
  if (each.back() > 0)
    part.needs.push_back({NeedTime::Group::flush, "mispredicted branches", "mispredicted branches", each});
}

bool is_of_core(const NeedTime& need) {
  return need.group == NeedTime::Group::core || need.group == NeedTime::Group::flush;
}

PartNeeds needs_of_part(const Place& place, const WorkPart& part, int cluster) {
  Point point = part.point;
  point.seconds = point.seconds_lo = point.seconds_hi = long_enough;
  PartNeeds found{part.name, {}, point.load_bytes + point.store_bytes};
  if (point.levels.empty()) return found;
  const std::vector<Need> needs = needs_of(*place.roofs, point, cluster, place.hybrid);
  for (const Need& need : needs) {
    NeedTime time = time_of_need(need);
    if (is_of_memory(need)) {
      for (double& seconds : time.seconds) seconds *= 1 - counted_elsewhere(point, needs);
    }
    found.needs.push_back(std::move(time));
  }
  add_instructions(place, point, cluster, found);
  return found;
}

// The times of the units that work at once, by name.
struct Units {
  std::vector<std::pair<double, std::string>> times;

  void add(double seconds, const std::string& what) {
    if (seconds > 0) times.emplace_back(seconds, what);
  }
};

// Transfers with the memory follow each other, whatever their order.
Units units_of(const PartNeeds& part, const Overlap& overlap, RoofEnd end) {
  Units units;
  const auto index = static_cast<std::size_t>(end);
  std::pair<double, std::string> core, random;
  double flush = 0;
  for (const NeedTime& need : part.needs) {
    const double seconds = need.seconds[index];
    if (need.group == NeedTime::Group::core) core = std::max(core, {overlap.core * seconds, need.what});
    if (need.group == NeedTime::Group::random) random = {seconds, need.what};
    if (need.group == NeedTime::Group::flush) flush += seconds;
    if (need.group == NeedTime::Group::transfer || need.group == NeedTime::Group::wait ||
        need.group == NeedTime::Group::walks)
      units.add(seconds, need.what);
    if (need.group == NeedTime::Group::chain) units.add(seconds / overlap.chains, need.what);
  }
  units.add(core.first + (overlap.core > 0 ? flush : 0),
            flush > core.first ? "mispredicted branches" : core.second);
  units.add(random.first, random.second);
  return units;
}

}  // namespace

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

PartTime predicted_time(const PartNeeds& part, const Overlap& overlap, RoofEnd end) {
  const Units units = units_of(part, overlap, end);
  if (units.times.empty()) return {};
  const auto largest = *std::max_element(units.times.begin(), units.times.end());
  double sum = 0;
  for (const auto& [seconds, what] : units.times) sum += seconds;
  return {largest.first + overlap.exposed * (sum - largest.first), largest.second};
}

double predicted_time(const std::vector<PartNeeds>& parts, const Overlap& overlap, RoofEnd end) {
  double sum = 0;
  for (const PartNeeds& part : parts) sum += predicted_time(part, overlap, end).seconds;
  return sum;
}

std::map<std::string, double> unit_times_of(const std::vector<PartNeeds>& parts) {
  std::map<std::string, double> sums;
  for (const PartNeeds& part : parts) {
    for (const NeedTime& need : part.needs) sums[need.unit] += need.seconds.front();
  }
  return sums;
}

std::vector<std::string> align_core(const std::vector<PartNeeds>& here, std::vector<PartNeeds>& there,
                                    double factor, double most) {
  const auto before = unit_times_of(here), after = unit_times_of(there);
  for (PartNeeds& part : there)
    std::erase_if(part.needs,
                  [&](const NeedTime& need) { return is_of_core(need) && !before.contains(need.unit); });
  std::vector<std::string> carried;
  for (const PartNeeds& part : here) {
    for (NeedTime need : part.needs) {
      if (!is_of_core(need) || after.contains(need.unit)) continue;
      const double seconds = need.seconds.front() * factor;
      need.seconds = {seconds, seconds / most, seconds * most, seconds, seconds};
      auto same = std::ranges::find(there, part.name, &PartNeeds::name);
      if (same == there.end()) same = there.insert(there.end(), {part.name, {}, 0});
      same->needs.push_back(need);
      add_once(carried, need.unit);
    }
  }
  return carried;
}

double core_time(const std::vector<PartNeeds>& parts) {
  double sum = 0;
  for (const PartNeeds& part : parts) {
    double most = 0;
    for (const NeedTime& need : part.needs) {
      if (need.group == NeedTime::Group::core) most = std::max(most, need.seconds.front());
      if (need.group == NeedTime::Group::flush) sum += need.seconds.front();
    }
    sum += most;
  }
  return sum;
}

}  // namespace gable::model
