#include "model/points/needs/measured.hpp"

#include <algorithm>

#include "model/points/limits/mix_roof.hpp"
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
  }

  const Point& point_;
  const PagesFilter& pages_;
  std::optional<MeasuredRange> own_, any_;
};

bool is_random(const Case& spec, const Point& point, const std::map<int, double>& shares) {
  return spec.kind == Kind::random && is_memory(spec.level) && is_one_to_one(spec.pattern) && point.alone &&
         (shares.empty() || shares.contains(spec.node));
}

}  // namespace

bool is_latency_of(const Roof& roof, int cluster, const Level& level) {
  const Case& spec = roof.spec;
  return spec.kind == Kind::latency && roof.status == Status::ok && spec.cluster == cluster &&
         spec.level == level && !is_ladder(spec.pattern) && !busy_everywhere(spec.pattern);
}

std::optional<MeasuredRange> latency_of(const Roofs& roofs, const Point& point, int cluster,
                                        const Level& level, const PagesFilter& pages) {
  const std::map<int, double> shares = node_shares(point);
  Ranges ranges(point, pages);
  for (const Roof& roof : roofs.roofs) {
    if (!is_latency_of(roof, cluster, level)) continue;
    if (!is_memory(level) || shares.empty() || shares.contains(roof.spec.node)) ranges.add(roof);
  }
  return ranges.result();
}

std::optional<MeasuredRange> random_rate(const Roofs& roofs, const Point& point, int cluster,
                                         const PagesFilter& pages) {
  const std::map<int, double> shares = node_shares(point);
  const int cores = cores_used(roofs, point, cluster);
  const auto fits = [&](const Case& spec) {
    return spec.cluster == cluster && is_random(spec, point, shares);
  };
  const int threads = judging_threads(roofs, cluster, cores, fits);
  Ranges ranges(point, pages);
  for (const Roof& roof : roofs.roofs) {
    const bool other_threads = threads > 0 && roof.spec.threads != threads;
    if (roof.status == Status::ok && fits(roof.spec) && has_threads(roof, cores) && !other_threads)
      ranges.add(roof);
  }
  return ranges.result();
}

}  // namespace gable::model
