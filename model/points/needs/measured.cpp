#include "model/points/needs/measured.hpp"

#include <algorithm>

#include "model/points/limits/mix_roof.hpp"
#include "model/points/needs/stalls/latency_at.hpp"
#include "model/points/threads.hpp"

namespace gable::model {
namespace {

// Whether some of the data may be on pages of this size.
bool may_be_on(const Point& point, Pages pages) {
  constexpr double few = 10;  // per cent
  if (!point.huge_pages_percent || pages.empty()) return true;
  return is_huge(pages) ? *point.huge_pages_percent >= few : *point.huge_pages_percent <= 100 - few;
}

// Those of the pages that count, or of all if none are of these.
class Ranges {
 public:
  Ranges(const Point& point, const PagesFilter& pages) : point_(point), pages_(pages) {}

  void add(const Roof& roof) {
    if (pages_) {
      if (pages_(roof.spec.pages)) widen(own_, roof);
      return;
    }
    widen(any_, roof);
    if (may_be_on(point_, roof.spec.pages)) widen(own_, roof);
  }

  std::optional<MeasuredRange> result() const { return own_ ? own_ : any_; }

 private:
  static void widen(std::optional<MeasuredRange>& to, const Roof& roof) {
    to = to ? MeasuredRange{std::min(to->lo, roof.lo), std::max(to->hi, roof.hi)}
            : MeasuredRange{roof.lo, roof.hi};
    to->value = (to->lo + to->hi) / 2;
  }

  const Point& point_;
  const PagesFilter& pages_;
  std::optional<MeasuredRange> own_, any_;
};

bool is_random(const Case& spec, const Level& level, const Point& point, const std::optional<int>& node) {
  return spec.kind == Kind::random && spec.level == level && is_one_to_one(spec.pattern) && point.alone &&
         (!node || spec.node == *node);
}

// The mean of what `of_node` tells of each node, by the parts of the data there. Nodes without a figure count
// as the others if little of the data lies there.
template <typename OfNode>
std::optional<MeasuredRange> mean_by_share(const std::map<int, double>& shares, const OfNode& of_node) {
  constexpr double little = 0.1;
  MeasuredRange mean;
  double known = 0;
  bool is_likely = true;
  for (const auto& [node, share] : shares) {
    const std::optional<MeasuredRange> own = of_node(node);
    if (!own) continue;
    known += share;
    mean.lo += share * own->lo;
    mean.hi += share * own->hi;
    mean.value += share * own->value;
    is_likely = is_likely && own->value > 0;
  }
  if (known < 1 - little) return std::nullopt;
  return MeasuredRange{mean.lo / known, mean.hi / known, is_likely ? mean.value / known : 0};
}

// The time of a load at a rate, or the rate of such a time.
MeasuredRange reciprocal(const MeasuredRange& of) {
  return {1 / of.hi, 1 / of.lo, of.value > 0 ? 1 / of.value : 0};
}

// Returns the rate of so many cores, from the rates of the next smaller and the next larger number of
// threads. The rate rises with the number of threads, but less than in proportion, so that fewer threads have
// at least their part of the rate of more.
std::optional<MeasuredRange> rate_of_cores(const std::map<int, Ranges>& by_threads, int cores,
                                           bool all_cores) {
  const auto more = by_threads.lower_bound(cores);
  if (more == by_threads.end()) return std::nullopt;
  std::optional<MeasuredRange> rate = more->second.result();
  if (!rate) return rate;
  const double middle = rate->value, threads = more->first;
  rate->value = 0;
  if (more->first == cores) {
    const auto larger = std::next(more) != by_threads.end() ? std::next(more)->second.result() : std::nullopt;
    if (larger) rate->lo = std::clamp(larger->lo * cores / std::next(more)->first, rate->lo, rate->hi);
  }
  if (more->first == cores || all_cores) return rate;
  double lo = rate->lo * cores / threads;
  if (more != by_threads.begin()) {
    const auto& [few, range] = *std::prev(more);
    if (const auto fewer = range.result()) {
      rate->hi = std::min(rate->hi, fewer->hi * cores / few);
      rate->value = std::min(middle, fewer->value * cores / few);
      lo = std::max(lo, fewer->lo + (rate->lo - fewer->lo) * (cores - few) / (threads - few));
    }
  }
  rate->lo = std::min(lo, rate->hi);
  return rate;
}

}  // namespace

bool is_latency_of(const Roof& roof, int cluster, const Level& level) {
  const Case& spec = roof.spec;
  return spec.kind == Kind::latency && roof.status == Status::ok && spec.cluster == cluster &&
         spec.level == level && !is_ladder(spec.pattern) && !busy_everywhere(spec.pattern);
}

std::optional<MeasuredRange> latency_of(const Roofs& roofs, const Point& point, int cluster,
                                        const Level& level, const PagesFilter& pages) {
  const auto of_node = [&](std::optional<int> node) {
    Ranges ranges(point, pages);
    for (const Roof& roof : roofs.roofs) {
      if (is_latency_of(roof, cluster, level) && (!node || roof.spec.node == *node)) ranges.add(roof);
    }
    return ranges.result();
  };
  const std::map<int, double> shares = node_shares(point);
  return is_cache(level) || shares.empty() ? of_node({}) : mean_by_share(shares, of_node);
}

std::optional<MeasuredRange> random_rate(const Roofs& roofs, const Point& point, int cluster,
                                         const Level& level, const PagesFilter& pages, double span) {
  const int cores = cores_used(roofs, point, cluster);
  const auto at_span = span > 0 ? latency_at(roofs, point, cluster, level, span) : std::nullopt;
  const auto of_node = [&](std::optional<int> node) {
    std::map<int, Ranges> by_threads;
    for (const Roof& roof : roofs.roofs) {
      if (roof.status != Status::ok || roof.spec.cluster != cluster ||
          !is_random(roof.spec, level, point, node))
        continue;
      Roof scaled = roof;
      if (at_span) {
        const auto bytes = static_cast<double>(roof.spec.bytes);
        const double then = latency_at(roofs, point, cluster, level, bytes)->value;
        scaled.hi *= std::max(1.0, then / at_span->value);
      }
      const int threads = has_threads(roof, cores) ? std::max(roof.spec.threads, cores) : roof.spec.threads;
      by_threads.try_emplace(threads, point, pages).first->second.add(scaled);
    }
    return rate_of_cores(by_threads, cores, cores >= cores_of(roofs, cluster));
  };
  const std::map<int, double> shares = node_shares(point);
  if (shares.size() <= 1) return of_node(shares.empty() ? std::optional<int>() : shares.begin()->first);
  const auto time = mean_by_share(shares, [&](int node) {
    const auto rate = of_node(node);
    return rate ? std::optional(reciprocal(*rate)) : std::nullopt;
  });
  return time ? std::optional(reciprocal(*time)) : std::nullopt;
}

}  // namespace gable::model
