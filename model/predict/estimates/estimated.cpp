#include "model/predict/estimates/estimated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/words.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/threads.hpp"
#include "model/predict/estimates/fewer_cores.hpp"
#include "model/predict/estimates/handoffs.hpp"
#include "model/predict/estimates/latencies.hpp"
#include "model/predict/parameters.hpp"

namespace gable::model {
namespace {

constexpr double little_of_it = 0.001;

class Estimates {
 public:
  Estimates(const Roofs& roofs, const Point& like, const std::vector<ProfileCache>& caches,
            const FunctionWork& work, double thread_seconds, const MixModel& hybrid, Estimated which)
      : like_(like),
        caches_(caches),
        work_(work),
        thread_seconds_(thread_seconds),
        hybrid_(hybrid),
        which_(which) {
    found_.roofs = roofs;
    if (!has_side_cache(work.levels))
      std::erase_if(caches_, [](const ProfileCache& cache) { return is_side_cache(Level(cache.level)); });
    keep_hardware_threads(like, found_.roofs);
  }

  EstimatedRoofs take() {
    const std::set<int> clusters = like_.cluster >= 0 ? std::set{like_.cluster} : clusters_of(found_.roofs);
    if (clusters.empty()) found_.refusal = "it has no roofs";
    std::size_t refused = 0;
    for (const int cluster : clusters) {
      if (like_.cluster >= 0) add_roofs_of_cores(like_, cluster, caches_, which_, found_);
      fill_memory_behind(cluster);
      fill_bandwidths(cluster);
      add_latencies(like_, cluster, caches_, work_, thread_seconds_, which_, found_);
      if (takes_changed_lines()) add_handoffs(like_, cluster, caches_, which_, found_);
      require_memory(cluster);
      note_others(cluster);
      if (!found_.refusal.empty() && ++refused < clusters.size()) found_.refusal.clear();
    }
    std::ranges::sort(found_.missing, {}, sentence);  // from the inside out
    return std::move(found_);
  }

 private:
  bool uses(std::size_t level) const {
    if (level == 0) return work_.load_bytes + work_.store_bytes > 0;
    if (level > work_.levels.size()) return false;
    const LevelBytes& bytes = work_.levels[level - 1];
    return bytes.read + bytes.written > little_of_it * (work_.load_bytes + work_.store_bytes);
  }

  std::optional<double> memory_rate(int cluster, const std::map<int, double>& shares) const {
    std::vector<Limit> limits = memory_limits(found_.roofs, like_, cluster, shares, hybrid_);
    if (!has_side_cache(work_.levels)) {
      for (const Limit& side : side_cache_limits(found_.roofs, like_, cluster, shares))
        limits.push_back(side);
    }
    if (limits.empty()) return std::nullopt;
    ascending(limits);
    return limits.back().value;
  }

  // A cache is at least as fast as each memory, wherever the data lies.
  std::optional<double> fastest_memory(int cluster) const {
    std::optional<double> fastest = memory_rate(cluster, node_shares(like_));
    std::set<int> nodes;
    for (const Roof& roof : found_.roofs.roofs) {
      if (is_memory(roof.spec.level) && roof.spec.node >= 0) nodes.insert(roof.spec.node);
    }
    for (const int node : nodes) {
      if (const auto rate = memory_rate(cluster, {{node, 1.0}}))
        fastest = std::max(fastest.value_or(0), *rate);
    }
    return fastest;
  }

  void add_bandwidth(int cluster, const std::string& level, double value) {
    Roof roof;
    roof.spec.kind = Kind::bandwidth;
    roof.spec.cluster = cluster;
    roof.spec.level = Level(level);
    roof.spec.pattern = Pattern::cache;
    roof.spec.op = operations::load;
    roof.value = roof.lo = roof.hi = value;
    roof.unit = unit_of(Kind::bandwidth);
    found_.roofs.roofs.push_back(roof);
  }

  std::optional<double> known_bandwidth(int cluster, const Level& level) const {
    if (is_side_cache(level)) {
      const auto limits = side_cache_limits(found_.roofs, like_, cluster, node_shares(like_));
      return limits.empty() ? std::nullopt : std::optional(limits.back().value);
    }
    const auto limit = cache_limit(found_.roofs, like_, cluster, level);
    return limit ? std::optional(limit->value) : std::nullopt;
  }

  // Memory behind a cache is at most as fast as this cache. How fast it is was not measured for loads that
  // wait, and seldom for other nodes than the cluster's own.
  void fill_memory_behind(int cluster) {
    if (!has_side_cache(work_.levels)) return;
    const Level side(caches_.back().level);
    const double slower = PredictParameters().faster_than_next;
    if (uses(caches_.size()) && !memory_rate(cluster, node_shares(like_)))
      add_memory_behind(cluster, side, Kind::bandwidth, estimate_between(1 / slower, 1, which_));
    if (waits_for_chains(work_, thread_seconds_) && !lowest_latency(found_.roofs, cluster, Level::memory()))
      add_memory_behind(cluster, side, Kind::latency, estimate_between(slower, 1, which_));
  }

  void add_memory_behind(int cluster, const Level& side, Kind kind, double ratio) {
    std::vector<Roof> behind;
    for (const Roof& roof : found_.roofs.roofs) {
      if (roof.status != Status::ok || roof.spec.kind != kind || roof.spec.cluster != cluster ||
          roof.spec.level != side)
        continue;
      behind.push_back(roof);
      Case& spec = behind.back().spec;
      spec.level = Level::memory();
      spec.tier = tier_of(found_.roofs, spec.node);
      if (spec.bytes > 0) spec.bytes = 2 * static_cast<std::uint64_t>(caches_.back().bytes);
      for (double* value : {&behind.back().value, &behind.back().lo, &behind.back().hi}) *value *= ratio;
    }
    if (behind.empty()) return;
    found_.roofs.roofs.insert(found_.roofs.roofs.end(), behind.begin(), behind.end());
    miss(found_, {NoteCode::missing_behind, {std::string(row_of(kind).words), side.name()}});
  }

  // From the outside in, so that the next level is known.
  void fill_bandwidths(int cluster) {
    std::vector<std::optional<double>> known;
    bool has_all = true;
    for (std::size_t i = 0; i < caches_.size(); ++i) {
      known.push_back(known_bandwidth(cluster, Level(caches_[i].level)));
      has_all = has_all && (known[i] || !uses(i));
    }
    if (has_all) return;
    std::optional<double> next = fastest_memory(cluster);
    for (std::size_t i = caches_.size(); i-- > 0;) {
      if (!known[i] && uses(i) && next) {
        double most = *next * PredictParameters().faster_than_next;
        for (std::size_t before = i; before-- > 0;) {
          if (known[before]) most = std::min(most, std::max(*next, *known[before]));
        }
        known[i] = estimate_between(*next, most, which_);
        add_bandwidth(cluster, caches_[i].level, *known[i]);
        miss(found_, {NoteCode::missing_bandwidth, {caches_[i].level}});
      }
      if (known[i]) next = known[i];
    }
  }

  bool takes_changed_lines() const {
    return like_.threads > 1 && std::ranges::any_of(work_.levels, [&](const LevelBytes& bytes) {
             return bytes.from_cores > little_of_it * (work_.load_bytes + work_.store_bytes);
           });
  }

  bool has_of_memory(Kind kind, int cluster) const {
    return std::ranges::any_of(found_.roofs.roofs, [&](const Roof& roof) {
      return roof.status == Status::ok && roof.spec.kind == kind && roof.spec.cluster == cluster &&
             is_memory(roof.spec.level);
    });
  }

  void require_memory(int cluster) {
    const std::map<int, double> shares = node_shares(like_);
    if (!found_.refusal.empty() || !uses(caches_.size()) || memory_rate(cluster, shares)) return;
    if (!has_of_memory(Kind::bandwidth, cluster)) {
      found_.refusal = "it has no bandwidth of memory";
      return;
    }
    found_.refusal = fmt::format("it has no bandwidth of memory with {} for cluster {}{}",
                                 count_text(std::max(1, like_.threads), "thread"), cluster,
                                 shares.empty()       ? ""
                                 : shares.size() == 1 ? fmt::format(" and node {}", shares.begin()->first)
                                                      : " with " + shares_text(shares));
  }

  // What the needs do without, but with less certainty.
  void note_others(int cluster) {
    if (work_.flops > 0 && flop_limits(found_.roofs, like_, cluster).empty())
      miss(found_, NoteCode::missing_peaks);
    if (work_.levels.empty()) return;
    if (!has_of_memory(Kind::random, cluster) &&
        work_.levels.back().irregular > little_of_it * (work_.load_bytes + work_.store_bytes))
      miss(found_, {NoteCode::missing_rate, {"random loads"}});
  }

  const Point& like_;
  std::vector<ProfileCache> caches_;
  const FunctionWork& work_;
  double thread_seconds_;
  const MixModel& hybrid_;
  Estimated which_;
  EstimatedRoofs found_;
};

}  // namespace

EstimatedRoofs estimated_roofs(const Roofs& roofs, const Point& like, const std::vector<ProfileCache>& caches,
                               const FunctionWork& transfers, double thread_seconds, const MixModel& hybrid,
                               Estimated which) {
  return Estimates(roofs, like, caches, transfers, thread_seconds, hybrid, which).take();
}

}  // namespace gable::model
