#include "model/points/needs/needs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/sorting.hpp"
#include "model/points/binding.hpp"
#include "model/points/needs/arithmetic.hpp"
#include "model/points/needs/fewer_cores.hpp"
#include "model/points/needs/instruction_rates.hpp"
#include "model/points/needs/stalls/contention.hpp"
#include "model/points/needs/stalls/path.hpp"
#include "model/points/needs/stalls/waiting.hpp"
#include "model/points/threads.hpp"

namespace gable::model {
namespace {

// Its own bytes at this level as the instructions of a kernel. A store past the caches fetches nothing, as a
// load stores nothing.
Point as_kernel(const Point& point, const LevelBytes& bytes) {
  Point kernel = point;
  const double written_back = bytes.written - bytes.streamed;
  kernel.load_bytes = std::max(0.0, bytes.read - written_back) + bytes.streamed;
  kernel.store_bytes = written_back;
  return kernel;
}

double bytes_of(const Point& kernel) {
  return kernel.load_bytes + kernel.store_bytes;
}

bool is_fitted_mix(const Limit& limit) {
  return limit.kind == Limit::Kind::hybrid && limit.fitted;
}

// Bytes that pass for each byte of a kernel with this share of loads: a line that is stored passes twice.
double passing(double loads) {
  return 2 - loads;
}

// What the roof's kernel writes back less than this one may overlap with the loads, or take their time.
void widen_by_write_backs(const Point& kernel, Need& need) {
  constexpr double same = 0.02;  // as roof_of_mix() has it
  if (!need.limit.load_share) return;
  const double loads = load_share(kernel), of_roof = *need.limit.load_share;
  if (std::abs(loads - of_roof) <= same) return;
  const double factor = passing(loads) / passing(of_roof);
  need.is_range = true;
  need.stores_known = false;
  need.lo *= std::min(1.0, factor);
  need.share *= std::min(1.0, factor);
  const double hi = need.hi * std::max(1.0, factor);
  need.hi = std::max(need.hi, std::min(hi, 1.0));
}

class Needs {
 public:
  Needs(const Roofs& roofs, const Point& point, int cluster)
      : roofs_(roofs), point_(point), cluster_(cluster), share_(cluster_share(roofs, point)) {}

  void add(Limit limit, double amount) {
    if (amount <= 0) return;
    if (limit.kind != Limit::Kind::flops) keep_cores(roofs_, point_, cluster_, limit);
    if (limited_part(limit) == LimitPart::core) keep_even_part(limit);
    limit.rate = share_ * amount / point_.seconds / 1e9;
    Need need;
    need.bytes = share_ * amount;
    need.share = limit.rate / limit.value;
    need.lo = limit.rate / std::max(limit.value, limit.hi);
    need.hi = limit.rate / std::min(limit.value, limit.lo > 0 ? limit.lo : limit.value);
    need.limit = std::move(limit);
    needs_.push_back(std::move(need));
  }

  void add_level(const Limit& limit, const Point& kernel) {
    if (bytes_of(kernel) <= 0) return;
    add(limit, bytes_of(kernel));
    widen_by_write_backs(kernel, needs_.back());
  }

  void add_first_cache() {
    const std::vector<Limit> caches = cache_limits(roofs_, point_, cluster_);
    if (!caches.empty() && is_first_cache(caches.back().level)) add(caches.back(), bytes_of(point_));
  }

  void add_cache(const LevelBytes& bytes) {
    const Point kernel = as_kernel(point_, bytes);
    if (const auto limit = cache_limit(roofs_, kernel, cluster_, bytes.level)) add_level(*limit, kernel);
  }

  // The part of its bytes that a memory-side cache holds is known.
  void add_side_cache(const LevelBytes& bytes) {
    const Point kernel = as_kernel(point_, bytes);
    std::vector<Limit> limits = side_cache_limits(roofs_, kernel, cluster_, node_shares(point_));
    if (const auto estimate = cache_limit(roofs_, kernel, cluster_, bytes.level); limits.empty() && estimate)
      limits.push_back(*estimate);
    add_slowest(limits, kernel);
  }

  // Adds the slowest of the memories where the data may lie, and of the caches in front of them if their part
  // is not known.
  void add_memory(const LevelBytes& bytes, const MixModel& hybrid) {
    Point kernel = as_kernel(point_, bytes);
    const std::map<int, double> shares = node_shares(point_);
    std::vector<Limit> limits = memory_limits(roofs_, kernel, cluster_, shares, hybrid);
    // The models of two memories are fitted to non-temporal stores, which fetch nothing.
    if (point_.alone && std::ranges::any_of(limits, is_fitted_mix)) {
      kernel.load_bytes = bytes.read;
      kernel.store_bytes = bytes.written;
      limits = memory_limits(roofs_, kernel, cluster_, shares, hybrid);
    }
    if (!has_side_cache(point_.levels)) {
      for (const Limit& side : side_cache_limits(roofs_, kernel, cluster_, shares)) limits.push_back(side);
    }
    if (!add_slowest(limits, kernel)) return;
    needs_.back().place_known = !shares.empty() || limits.size() == 1;
    needs_.back().on_huge_pages = share_on_huge_pages(kernel, needs_.back().limit, shares);
  }

  // Adds the slowest limit that the Point is not too fast for. Returns whether there is a need of it.
  bool add_slowest(std::vector<Limit> limits, const Point& kernel) {
    if (limits.empty() || bytes_of(kernel) <= 0) return false;
    ascending(limits);
    const double rate = share_ * bytes_of(kernel) / point_.seconds / 1e9;
    const auto is_fast_enough = [&](const Limit& limit) {
      return rate <= stands_at * std::max(limit.value, limit.hi);
    };
    const auto found = std::ranges::find_if(limits, is_fast_enough);
    Limit limit = found == limits.end() ? limits.back() : *found;
    if (found != limits.end() && limits.back().value > limit.value)
      limit.hi = std::max(limit.hi, limits.back().value);
    add_level(limit, kernel);
    return true;
  }

  double share_on_huge_pages(Point kernel, const Limit& like, const std::map<int, double>& shares) const {
    if (!kernel.huge_pages_percent || like.kind != Limit::Kind::memory) return 0;
    kernel.huge_pages_percent = 100;
    for (Limit& limit : memory_limits(roofs_, kernel, cluster_, shares, {})) {
      if (limit.pattern != like.pattern || limit.node != like.node) continue;
      keep_cores(roofs_, point_, cluster_, limit);
      return like.rate / limit.value;
    }
    return 0;
  }

  void add_waiting() {
    for (Need& need : waiting_needs(roofs_, point_, cluster_)) needs_.push_back(std::move(need));
    if (auto path = path_need(roofs_, point_, cluster_)) needs_.push_back(*std::move(path));
    if (auto lines = contention_need(roofs_, point_, cluster_)) needs_.push_back(*std::move(lines));
  }

  void add_arithmetic() {
    for (const UnitTime& unit : unit_times(roofs_, point_, cluster_)) add(unit.limit, unit.flops);
    for (const InstructionRate& rate : instruction_rates(roofs_, point_, cluster_))
      add(rate.limit, rate.instructions);
  }

  std::vector<Need> take() {
    sort_down_by(needs_, &Need::share);
    return std::move(needs_);
  }

 private:
  // What one thread does by itself, the cores of the others do not shorten.
  void keep_even_part(Limit& limit) const {
    const int cores = cores_used(roofs_, point_, cluster_);
    if (cores <= 0) return;
    const double part = share_ / cores / part_of_busiest(point_, share_, cores);
    for (double* value : {&limit.value, &limit.lo, &limit.hi}) *value *= part;
  }

  const Roofs& roofs_;
  const Point& point_;
  int cluster_;
  double share_;
  std::vector<Need> needs_;
};

}  // namespace

std::vector<Need> needs_of(const Roofs& roofs, const Point& point, int cluster, const MixModel& hybrid) {
  Needs needs(roofs, point, cluster);
  needs.add_first_cache();
  for (const LevelBytes& bytes : point.levels) {
    if (is_memory(bytes.level)) {
      needs.add_memory(bytes, hybrid);
    } else if (is_side_cache(bytes.level)) {
      needs.add_side_cache(bytes);
    } else {
      needs.add_cache(bytes);
    }
  }
  needs.add_waiting();
  needs.add_arithmetic();
  return needs.take();
}

}  // namespace gable::model
