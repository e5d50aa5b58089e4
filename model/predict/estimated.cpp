#include "model/predict/estimated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/words.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/threads.hpp"
#include "model/predict/parameters.hpp"
#include "model/roofs/best.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

constexpr double little_of_it = 0.001;

double between(double slow, double fast, Estimated which) {
  return which == Estimated::slow ? slow : which == Estimated::fast ? fast : std::sqrt(slow * fast);
}

// What one thread loads from working sets of a level, by the ladder: its median between the sizes of the
// cache before it and of the level, and for memory the last step. GB/s; 0: there is no such ladder.
double ladder_rate(const Roofs& roofs, int cluster, double above, double up_to) {
  std::vector<std::pair<std::uint64_t, double>> steps;
  for (const Roof& roof : roofs.ladder) {
    const Case& spec = roof.spec;
    if (roof.status != Status::ok || spec.kind != Kind::bandwidth || spec.cluster != cluster ||
        spec.threads != 1 || spec.op != operations::load)
      continue;
    const auto bytes = static_cast<double>(spec.bytes);
    if (bytes > above && bytes <= up_to) steps.emplace_back(spec.bytes, roof.value);
  }
  if (steps.empty()) return 0;
  if (std::isinf(up_to)) return std::ranges::max(steps).second;
  std::vector<double> values;
  for (const auto& [bytes, value] : steps) values.push_back(value);
  return median(values);
}

double clock_of(const std::vector<Roof>& roofs, int cluster, int threads) {
  for (const Roof& roof : roofs) {
    if (roof.spec.cluster == cluster && roof.spec.threads == threads && roof.clock_ghz > 0)
      return roof.clock_ghz;
  }
  return 0;
}

class Estimates {
 public:
  Estimates(const Roofs& roofs, const Point& like, const std::vector<ProfileCache>& caches,
            const FunctionWork& work, const MixModel& hybrid, Estimated which)
      : like_(like), caches_(caches), work_(work), hybrid_(hybrid), which_(which) {
    found_.roofs = roofs;
  }

  EstimatedRoofs take() {
    const std::set<int> clusters = like_.cluster >= 0 ? std::set{like_.cluster} : clusters_of(found_.roofs);
    if (clusters.empty()) found_.refusal = "it has no roofs";
    std::size_t refused = 0;
    for (const int cluster : clusters) {
      if (like_.cluster >= 0) scale_to_cores(cluster);
      fill_bandwidths(cluster);
      fill_latencies(cluster);
      require_memory(cluster);
      note_others(cluster);
      if (!found_.refusal.empty() && ++refused < clusters.size()) found_.refusal.clear();
    }
    std::ranges::sort(found_.missing);  // from the inside out
    return std::move(found_);
  }

 private:
  // The share of a roof of `threads` that `cores` reach.
  double share_of_cores(const Roof& roof, int cores) {
    const Case& spec = roof.spec;
    const double part = static_cast<double>(cores) / spec.threads;
    if (is_peak(spec.kind)) {
      const double all = clock_of(found_.roofs.roofs, spec.cluster, spec.threads);
      const double one = clock_of(found_.roofs.ladder, spec.cluster, 1);
      return cores == 1 && all > 0 && one > 0 ? std::min(1.0, part * one / all) : part;
    }
    const std::size_t at = cache_index(spec.level);
    if (at < caches_.size() && caches_[at].cores_sharing <= 1) return part;
    if (spec.kind != Kind::bandwidth) return unknown_share(roof, part, cores);
    const double above = at == 0 || caches_.empty() ? 0 : caches_[std::min(at, caches_.size()) - 1].bytes;
    const double up_to = at < caches_.size() ? caches_[at].bytes : std::numeric_limits<double>::infinity();
    const double one = ladder_rate(found_.roofs, spec.cluster, above, up_to);
    const Roof* const loads = all_loads(roof);
    if (one <= 0 || loads == nullptr) return unknown_share(roof, part, cores);
    return std::clamp(cores * one / loads->value, part, 1.0);
  }

  // Between their part, or the lines that they can wait for at once, and all.
  double unknown_share(const Roof& roof, double part, int cores) {
    const Case& spec = roof.spec;
    miss(fmt::format("{} with {}", row_of(spec.kind).words, count_text(cores, "thread")));
    double least = part;
    const auto ns = latency(spec.cluster, spec.level);
    if (ns && is_in_memory(spec.pattern) && is_local(spec.pattern) && *ns > 0) {
      const double lines_per_ns = cores * PredictParameters().chains_at_once / *ns;
      const double waited = spec.kind == Kind::random
                                ? 1e3 * lines_per_ns
                                : static_cast<double>(profile_line_bytes) * lines_per_ns;
      least = std::clamp(waited / roof.value, part, 1.0);
    }
    return between(least, 1, which_);
  }

  // The best roof of loads of the same place with as many threads.
  const Roof* all_loads(const Roof& roof) const {
    Case like = roof.spec;
    like.op = operations::load;
    like.kernel.clear();
    like.bytes = 0;
    like.pages = {};
    return best_roof(found_.roofs.roofs, like);
  }

  std::size_t cache_index(const Level& level) const {
    const auto found = std::ranges::find(caches_, level.name(), &ProfileCache::level);
    return static_cast<std::size_t>(found - caches_.begin());
  }

  // Adds roofs of so many cores to those of more.
  void scale_to_cores(int cluster) {
    const int cores = cores_used(found_.roofs, like_, cluster);
    if (cores >= cores_of(found_.roofs, cluster)) return;
    std::vector<Roof> added;
    for (const Roof& roof : found_.roofs.roofs) {
      const Case& spec = roof.spec;
      const bool counts = spec.kind == Kind::bandwidth || is_peak(spec.kind) || spec.kind == Kind::random;
      if (roof.status != Status::ok || spec.cluster != cluster || !counts || spec.threads <= cores ||
          busy_everywhere(spec.pattern) || is_measured_with(spec, cores))
        continue;
      Roof scaled = roof;
      const double share = share_of_cores(roof, cores);
      scaled.spec.threads = cores;
      for (double* value : {&scaled.value, &scaled.lo, &scaled.hi}) *value *= share;
      added.push_back(std::move(scaled));
    }
    found_.roofs.roofs.insert(found_.roofs.roofs.end(), added.begin(), added.end());
  }

  bool is_measured_with(const Case& spec, int cores) const {
    return std::ranges::any_of(found_.roofs.roofs, [&](const Roof& roof) {
      const Case& other = roof.spec;
      return roof.status == Status::ok && other.threads == cores && other.kind == spec.kind &&
             other.cluster == spec.cluster && other.level == spec.level && other.pattern == spec.pattern &&
             other.node == spec.node && other.op == spec.op && other.precision == spec.precision &&
             other.kernel == spec.kernel && other.pages == spec.pages;
    });
  }

  bool uses(std::size_t level) const {
    if (level == 0) return work_.load_bytes + work_.store_bytes > 0;
    if (level > work_.levels.size()) return false;
    const LevelBytes& bytes = work_.levels[level - 1];
    return bytes.read + bytes.written > little_of_it * (work_.load_bytes + work_.store_bytes);
  }

  std::optional<double> memory_rate(int cluster) const {
    std::vector<Limit> limits = memory_limits(found_.roofs, like_, cluster, node_shares(like_), hybrid_);
    for (const Limit& side : side_cache_limits(found_.roofs, like_, cluster, node_shares(like_)))
      limits.push_back(side);
    if (limits.empty()) return std::nullopt;
    ascending(limits);
    return limits.back().value;
  }

  void add_roof(int cluster, const std::string& level, Kind kind, double value) {
    Roof roof;
    roof.spec.kind = kind;
    roof.spec.cluster = cluster;
    roof.spec.level = Level(level);
    roof.spec.pattern = Pattern::cache;
    roof.spec.op = kind == Kind::bandwidth ? operations::load : operations::chase;
    roof.value = roof.lo = roof.hi = value;
    roof.unit = unit_of(kind);
    found_.roofs.roofs.push_back(roof);
  }

  void miss(const std::string& what) {
    if (std::ranges::find(found_.missing, what) == found_.missing.end()) found_.missing.push_back(what);
  }

  // From the outside in, so that the next level is known.
  void fill_bandwidths(int cluster) {
    std::optional<double> next = memory_rate(cluster);
    std::vector<std::optional<double>> known;
    for (const ProfileCache& cache : caches_) {
      const auto limit = cache_limit(found_.roofs, like_, cluster, Level(cache.level));
      known.push_back(limit ? std::optional(limit->value) : std::nullopt);
    }
    for (std::size_t i = caches_.size(); i-- > 0;) {
      if (!known[i] && uses(i) && next) {
        double most = *next * PredictParameters().faster_than_next;
        for (std::size_t before = i; before-- > 0;) {
          if (known[before]) most = std::min(most, std::max(*next, *known[before]));
        }
        known[i] = between(*next, most, which_);
        add_roof(cluster, caches_[i].level, Kind::bandwidth, *known[i]);
        miss("the bandwidth of " + caches_[i].level);
      }
      if (known[i]) next = known[i];
    }
  }

  std::optional<double> latency(int cluster, const Level& level) const {
    std::optional<double> lowest;
    for (const Roof& roof : found_.roofs.roofs) {
      const Case& spec = roof.spec;
      if (spec.kind != Kind::latency || roof.status != Status::ok || spec.cluster != cluster ||
          spec.level != level || is_ladder(spec.pattern) || busy_everywhere(spec.pattern))
        continue;
      lowest = std::min(lowest.value_or(roof.value), roof.value);
    }
    return lowest;
  }

  bool waits() const {
    return std::ranges::any_of(work_.levels, [&](const LevelBytes& level) {
      return level.chained > little_of_it * (work_.load_bytes + work_.store_bytes);
    });
  }

  void fill_latencies(int cluster) {
    if (!waits()) return;
    const auto memory = latency(cluster, Level::memory());
    if (!memory) {
      if (!work_.levels.empty() &&
          work_.levels.back().chained > little_of_it * (work_.load_bytes + work_.store_bytes)) {
        found_.refusal = "it has no latency of memory, and the program follows chains of loads there";
      }
      return;
    }
    std::optional<double> next = memory;
    for (std::size_t i = caches_.size(); i-- > 1;) {
      auto known = latency(cluster, Level(caches_[i].level));
      if (!known) {
        double least = *next / PredictParameters().faster_than_next;
        for (std::size_t before = i; before-- > 0;) {
          if (const auto inner = latency(cluster, Level(caches_[before].level)))
            least = std::max(least, *inner);
        }
        known = between(*next, std::min(least, *next), which_);
        add_roof(cluster, caches_[i].level, Kind::latency, *known);
        miss("the latency of " + caches_[i].level);
      }
      next = known;
    }
  }

  void require_memory(int cluster) {
    if (!found_.refusal.empty() || !uses(caches_.size()) || memory_rate(cluster)) return;
    const std::map<int, double> shares = node_shares(like_);
    found_.refusal = fmt::format("it has no bandwidth of memory for cluster {}{}", cluster,
                                 shares.empty()       ? ""
                                 : shares.size() == 1 ? fmt::format(" and node {}", shares.begin()->first)
                                                      : " with " + shares_text(shares));
  }

  // What the needs do without, but with less certainty.
  void note_others(int cluster) {
    if (work_.flops > 0 && flop_limits(found_.roofs, like_, cluster).empty()) miss(missing_peaks);
    if (work_.levels.empty()) return;
    const bool has_random = std::ranges::any_of(found_.roofs.roofs, [&](const Roof& roof) {
      return roof.status == Status::ok && roof.spec.kind == Kind::random && roof.spec.cluster == cluster;
    });
    if (!has_random && work_.levels.back().irregular > little_of_it * (work_.load_bytes + work_.store_bytes))
      miss("the rate of random loads");
  }

  const Point& like_;
  const std::vector<ProfileCache>& caches_;
  const FunctionWork& work_;
  const MixModel& hybrid_;
  Estimated which_;
  EstimatedRoofs found_;
};

}  // namespace

EstimatedRoofs estimated_roofs(const Roofs& roofs, const Point& like, const std::vector<ProfileCache>& caches,
                               const FunctionWork& transfers, const MixModel& hybrid, Estimated which) {
  return Estimates(roofs, like, caches, transfers, hybrid, which).take();
}

}  // namespace gable::model
