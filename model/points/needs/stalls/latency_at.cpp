#include "model/points/needs/stalls/latency_at.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/sorting.hpp"
#include "model/points/access.hpp"
#include "model/points/limits/mix_roof.hpp"

namespace gable::model {
namespace {

struct SizeStep {
  double bytes = 0;
  MeasuredRange ns;
};

// Returns how far a size is on the way from one size to the next, on a logarithmic scale (0 to 1).
double part_of_way(double from, double to, double at) {
  return to > from ? std::clamp(std::log(at / from) / std::log(to / from), 0.0, 1.0) : 1;
}

double between(double from, double to, double part) {
  return from + part * (to - from);
}

bool is_step_of_size(const Roof& roof, int cluster) {
  const Case& spec = roof.spec;
  return roof.status == Status::ok && spec.kind == Kind::latency && spec.cluster == cluster &&
         spec.threads == 1 && spec.bytes > 0;
}

// The latency of a cache holds for the data of every node.
bool is_of_node(const Roof& roof, int node) {
  return !is_memory(roof.spec.level) || roof.spec.node == node;
}

class LatencyBySize {
 public:
  LatencyBySize(const Roofs& roofs, const Point& point, int cluster)
      : roofs_(roofs), point_(point), cluster_(cluster) {
    take_ladder();
    take_memory();
    sort_by(steps_, &SizeStep::bytes);
    find_excess();
  }

  std::optional<MeasuredRange> at(const Level& level, double span) const {
    if (steps_.empty()) return std::nullopt;
    MeasuredRange ns = of_ladder(span);
    add_pages(span, ns);
    if (is_memory(level) && !add_nodes(ns)) return std::nullopt;
    return ns;
  }

 private:
  void take_ladder() {
    for (const Roof& roof : roofs_.ladder) {
      if (!is_step_of_size(roof, cluster_)) continue;
      if (steps_.empty()) like_ = roof.spec;
      if (roof.spec.pages == like_.pages && roof.spec.node == like_.node)
        steps_.push_back({static_cast<double>(roof.spec.bytes), {roof.lo, roof.hi, roof.value}});
    }
  }

  // Adds the latency of memory if it was measured at a larger size than the ladder has.
  void take_memory() {
    const Roof* const memory = of_level(Level::memory(), like_.node, true);
    if (steps_.empty() || memory == nullptr) return;
    const auto bytes = static_cast<double>(memory->spec.bytes);
    if (std::ranges::all_of(steps_, [&](const SizeStep& step) { return step.bytes < bytes; }))
      steps_.push_back({bytes, {memory->lo, memory->hi, memory->value}});
  }

  // Finds the lowest latency of a level, on the ladder's size of pages or on the other size.
  const Roof* of_level(const Level& level, int node, bool same_pages) const {
    const Roof* found = nullptr;
    for (const Roof& roof : roofs_.roofs) {
      const bool same = is_huge(roof.spec.pages) == is_huge(like_.pages);
      if (!is_latency_of(roof, cluster_, level) || !is_of_node(roof, node) || same != same_pages) continue;
      if (found == nullptr || roof.value < found->value) found = &roof;
    }
    return found;
  }

  // Finds the latency that the other size of pages adds, at the sizes at which both were measured.
  void find_excess() {
    for (const Roof& roof : roofs_.roofs) {
      if (!is_latency_of(roof, cluster_, roof.spec.level) || !is_of_node(roof, like_.node) ||
          is_huge(roof.spec.pages) == is_huge(like_.pages))
        continue;
      const Roof* const same = of_level(roof.spec.level, like_.node, true);
      if (same == nullptr || same->spec.bytes != roof.spec.bytes) continue;
      const double more = is_huge(like_.pages) ? roof.value - same->value : same->value - roof.value;
      excess_.push_back({static_cast<double>(roof.spec.bytes), {0, 0, std::max(0.0, more)}});
    }
    sort_by(excess_, &SizeStep::bytes);
    for (std::size_t i = 1; i < excess_.size(); ++i)
      excess_[i].ns.value = std::max(excess_[i].ns.value, excess_[i - 1].ns.value);
  }

  MeasuredRange of_ladder(double span) const {
    const auto next = std::ranges::lower_bound(steps_, span, {}, &SizeStep::bytes);
    if (next == steps_.begin()) return steps_.front().ns;
    if (next == steps_.end()) return steps_.back().ns;
    const auto before = std::prev(next);
    const double part = part_of_way(before->bytes, next->bytes, span);
    return {between(before->ns.lo, next->ns.lo, part), between(before->ns.hi, next->ns.hi, part),
            between(before->ns.value, next->ns.value, part)};
  }

  // Returns the latency that the other size of pages adds to a load of this span.
  MeasuredRange excess_at(double span) const {
    if (excess_.empty()) return {};
    const auto next = std::ranges::lower_bound(excess_, span, {}, &SizeStep::bytes);
    const double last = excess_.back().ns.value;
    if (next == excess_.end()) return {last, last, last};
    if (next == excess_.begin()) return {0, next->ns.value, next->ns.value};
    const auto before = std::prev(next);
    return {before->ns.value, next->ns.value,
            between(before->ns.value, next->ns.value, part_of_way(before->bytes, next->bytes, span))};
  }

  void add_pages(double span, MeasuredRange& ns) const {
    const MeasuredRange more = excess_at(span);
    const bool known = point_.huge_pages_percent.has_value(), huge = is_huge(like_.pages);
    const double on_huge = point_.huge_pages_percent.value_or(50) / 100;
    const double on_others = huge ? 1 - on_huge : on_huge, sign = huge ? 1 : -1;
    const double lo = (known ? on_others : 0) * more.lo, hi = (known ? on_others : 1) * more.hi;
    ns.value = std::max(ns.lo, ns.value + sign * on_others * more.value);
    ns.lo += huge ? lo : -hi;
    ns.hi += huge ? hi : -lo;
    ns.lo = std::clamp(ns.lo, 0.0, ns.value);
  }

  // Returns false if the latency of a node is not known.
  bool add_nodes(MeasuredRange& ns) const {
    const std::map<int, double> shares = node_shares(point_);
    const Roof* const own = of_level(Level::memory(), like_.node, true);
    double sum = 0, least = 0, most = 0;
    bool is_first = true;
    for (const auto& [node, share] : shares) {
      double more = 0;
      if (node != like_.node) {
        const Roof* const other = of_level(Level::memory(), node, true);
        if (own == nullptr || other == nullptr) return false;
        more = other->value - own->value;
      }
      sum += share * more;
      least = is_first ? more : std::min(least, more);
      most = is_first ? more : std::max(most, more);
      is_first = false;
    }
    ns = {std::max(0.0, ns.lo + least), std::max(0.0, ns.hi + most), std::max(0.0, ns.value + sum)};
    return true;
  }

  const Roofs& roofs_;
  const Point& point_;
  int cluster_;
  Case like_;
  std::vector<SizeStep> steps_, excess_;
};

}  // namespace

std::optional<MeasuredRange> latency_at(const Roofs& roofs, const Point& point, int cluster,
                                        const Level& level, double span) {
  return LatencyBySize(roofs, point, cluster).at(level, span);
}

std::optional<MeasuredRange> latency_of_spans(const Roofs& roofs, const Point& point, int cluster,
                                              const Level& level, const ServedSpans& spans) {
  if (spans.mean <= 0) return latency_of(roofs, point, cluster, level);
  const LatencyBySize latency(roofs, point, cluster);
  const auto of_smaller = latency.at(level, spans.smaller), of_larger = latency.at(level, spans.larger);
  if (!of_smaller || !of_larger) return latency_of(roofs, point, cluster, level);
  const auto mean = [&](double MeasuredRange::*figure) {
    return between(*of_smaller.*figure, *of_larger.*figure, spans.part_of_larger);
  };
  return MeasuredRange{mean(&MeasuredRange::lo), mean(&MeasuredRange::hi), mean(&MeasuredRange::value)};
}

ServedSpans served_spans(const SpanSums& own, const SpanSums& next) {
  if (own.bytes <= 0 || own.logs <= 0) return {};
  const SpanMoments all = moments_of(own);
  SpanMoments served = all;  // unless the level serves shorter ones
  const SpanSums rest = own - next;
  if (rest.bytes > 0 && rest.logs > 0 && rest.logs / rest.bytes <= all.mean) served = moments_of(rest);
  // The two points whose moments are those of all up to the third.
  const double half = served.skewness / 2, root = std::sqrt(1 + half * half);
  const auto span_at = [&](double deviations) {
    return std::exp2(served.mean + deviations * served.deviation);
  };
  return {std::exp2(served.mean), span_at(half - root), span_at(half + root), (root - half) / (2 * root)};
}

}  // namespace gable::model
