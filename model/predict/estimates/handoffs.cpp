#include "model/predict/estimates/handoffs.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "model/points/needs/fewer_cores.hpp"
#include "model/points/threads.hpp"
#include "model/predict/estimates/fewer_cores.hpp"
#include "model/predict/parameters.hpp"

namespace gable::model {
namespace {

constexpr PredictParameters bounds;

class Handoffs {
 public:
  Handoffs(const Roofs& roofs, const Point& like, int cluster, const std::vector<ProfileCache>& caches)
      : roofs_(roofs), like_(like), cluster_(cluster), caches_(caches) {
    memory_ = lowest_latency(roofs, cluster, Level::memory());
    if (!caches_.empty() && is_side_cache(Level(caches_.back().level))) {
      memory_ = latency_of_cache(caches_.size() - 1);
      caches_.pop_back();
    }
    while (own_ + 1 < caches_.size() && !caches_[own_ + 1].is_shared) ++own_;
  }

  Estimate between_cores(Estimated which) const {
    const auto of_shared = are_cores() ? latency_of_cache(own_ + 1) : std::nullopt;
    const auto least = of_shared ? of_shared : latency_of_cache(own_);
    const auto shared = share_a_cache() ? latency_of_cache(own_ + 1) : std::nullopt;
    const auto most =
        shared ? std::optional(least_of(bounds.handoff_by_shared_cache * *shared, memory_)) : memory_;
    return estimate(least, most, which);
  }

  Estimate between_clusters(Estimated which) const {
    const auto most = memory_ ? std::optional(bounds.handoff_between_clusters * *memory_) : std::nullopt;
    return estimate(latency_of_cache(own_ + 1), most, which);
  }

 private:
  static double least_of(double value, const std::optional<double>& other) {
    return other ? std::min(value, *other) : value;
  }

  static Estimate estimate(const std::optional<double>& least, const std::optional<double>& most,
                           Estimated which) {
    const double slow = most.value_or(bounds.most_handoff_ns);
    const double fast = least ? *least : most ? slow / bounds.faster_than_next : bounds.least_handoff_ns;
    const double ns = estimate_between(slow, std::min(slow, fast), which);
    return {ns, ns, ns, 0};
  }

  std::optional<double> latency_of_cache(std::size_t at) const {
    return at < caches_.size() ? lowest_latency(roofs_, cluster_, Level(caches_[at].level)) : std::nullopt;
  }

  // Whether the next cache is one for all threads of the program. A guest whose ladder contradicts the size
  // of this cache may be told as little of who shares it.
  bool share_a_cache() const {
    if (own_ + 1 >= caches_.size()) return false;
    const ProfileCache& next = caches_[own_ + 1];
    const bool contradicted = std::ranges::any_of(roofs_.levels, [&](const CacheLevel& level) {
      return level.cluster == cluster_ && level.level.name() == next.level && !level.confirmed &&
             level.measured_bytes > 0;
    });
    return !contradicted && next.cores_sharing >= cores_used(roofs_, like_, cluster_);
  }

  // Whether its threads run on a core each: two hardware threads of one core together load hardly faster from
  // its first cache than one of them. Guests may see hardware threads as cores.
  bool are_cores() const {
    constexpr double nearly_all = 0.75;
    const int cores = cores_of(roofs_, cluster_);
    if (like_.threads > cores && like_.cluster >= 0) return false;
    const double one = rate_of_one_thread(roofs_, cluster_, Level::cache(1));
    const double clock = clock_of(roofs_.roofs, cluster_), clock_of_one = clock_of(roofs_.ladder, cluster_);
    const double slower = clock > 0 && clock_of_one > 0 ? clock / clock_of_one : 1;
    return one > 0 && loads_of_first_cache(cores) >= nearly_all * cores * one * slower;
  }

  double loads_of_first_cache(int threads) const {
    double most = 0;
    for (const Roof& roof : roofs_.roofs) {
      const Case& spec = roof.spec;
      if (roof.status == Status::ok && spec.kind == Kind::bandwidth && spec.cluster == cluster_ &&
          is_first_cache(spec.level) && spec.op == operations::load && spec.threads == threads && !spec.smt)
        most = std::max(most, roof.value);
    }
    return most;
  }

  const Roofs& roofs_;
  const Point& like_;
  int cluster_;
  std::vector<ProfileCache> caches_;  // of the cores
  std::size_t own_ = 0;               // the last that no other core uses
  std::optional<double> memory_;      // latency of the memory, or of the cache in front of it
};

}  // namespace

void add_handoffs(const Point& like, int cluster, const std::vector<ProfileCache>& caches, Estimated which,
                  EstimatedRoofs& to) {
  const bool between = like.cluster < 0 && clusters_of(to.roofs).size() > 1;
  const Handoffs handoffs(to.roofs, like, cluster, caches);
  if (!to.roofs.line_in_cluster || (between && !to.roofs.line_between_clusters))
    miss(to, NoteCode::missing_handoffs);
  if (between && !to.roofs.line_between_clusters)
    to.roofs.line_between_clusters = handoffs.between_clusters(which);
  if (!to.roofs.line_in_cluster) to.roofs.line_in_cluster = handoffs.between_cores(which);
}

}  // namespace gable::model
