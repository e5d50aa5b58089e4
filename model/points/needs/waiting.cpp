#include "model/points/needs/waiting.hpp"

#include <algorithm>
#include <optional>

#include "model/points/threads.hpp"
#include "model/records/profile.hpp"

namespace gable::model {
namespace {

// The least and the most ns of those measured with several page sizes.
struct Nanoseconds {
  double lo = 0, hi = 0;
};

void widen(std::optional<Nanoseconds>& to, double lo, double hi) {
  to = to ? Nanoseconds{std::min(to->lo, lo), std::max(to->hi, hi)} : Nanoseconds{lo, hi};
}

// The latency of a level for one cluster alone; that of memory comes from the nodes of the data.
std::optional<Nanoseconds> latency_of(const Roofs& roofs, const Point& point, int cluster,
                                      const Level& level) {
  const std::map<int, double> shares = node_shares(point);
  std::optional<Nanoseconds> found;
  for (const Roof& roof : roofs.roofs) {
    const Case& asked = roof.asked;
    if (asked.kind != Kind::latency || roof.status != Status::ok || asked.cluster != cluster ||
        asked.level != level || is_ladder(asked.pattern) || busy_everywhere(asked.pattern))
      continue;
    if (is_memory(level) && !shares.empty() && !shares.contains(asked.node)) continue;
    widen(found, roof.lo, roof.hi);
  }
  return found;
}

struct Waited {
  double bytes = 0, lo = 0, hi = 0;  // seconds of one thread
  bool known = true;                 // the latency of every level
};

// `amount` tells the bytes of a level that wait; what a level serves is not fetched from the next one.
template <typename Amount>
Waited waited(const Roofs& roofs, const Point& point, int cluster, const Amount& amount) {
  constexpr double little = 0.01;
  Waited sum;
  for (std::size_t i = 0; i < point.levels.size(); ++i) {
    const double next = i + 1 < point.levels.size() ? amount(point.levels[i + 1]) : 0;
    const double served = std::max(0.0, amount(point.levels[i]) - next);
    if (served <= little * amount(point.levels.front())) continue;
    const auto latency = latency_of(roofs, point, cluster, point.levels[i].level);
    if (!latency) {
      sum.known = false;
      continue;
    }
    const double lines = served / profile_line_bytes;
    sum.bytes += served;
    sum.lo += lines * latency->lo * 1e-9;
    sum.hi += lines * latency->hi * 1e-9;
  }
  return sum;
}

Need need_of(const Point& point, int cluster_threads, double share, const Waited& waited, Limit::Kind kind) {
  Need need;
  need.limit.kind = kind;
  need.limit.name = kind == Limit::Kind::chain ? "latency" : "irregular access";
  need.limit.threads = cluster_threads;
  const double threads = cluster_threads;
  need.lo = share * waited.lo / threads / point.seconds;
  need.hi = share * waited.hi / threads / point.seconds;
  need.share = (need.lo + need.hi) / 2;
  need.bytes = share * waited.bytes;
  return need;
}

// The roof in GB/s that belongs to the shares.
void set_roof(const Point& point, Need& need) {
  need.limit.rate = need.bytes / point.seconds / 1e9;
  need.limit.value = need.limit.rate / need.share;
  need.limit.lo = need.limit.rate / need.hi;
  need.limit.hi = need.limit.rate / need.lo;
  need.limit.fitted = !need.is_range;
}

}  // namespace

std::vector<Need> waiting_needs(const Roofs& roofs, const Point& point, int cluster) {
  constexpr double overlap = 1.1;      // more time than this proves that chains overlap
  constexpr double most_at_once = 10;  // line fill buffers of a core
  const int threads = cores_used(roofs, point, cluster);
  const double share = cluster_share(roofs, point);
  std::vector<Need> needs;
  if (threads <= 0) return needs;
  const Waited chained = waited(roofs, point, cluster, [](const LevelBytes& level) { return level.chained; });
  if (chained.bytes > 0 && chained.known) {
    Need need = need_of(point, threads, share, chained, Limit::Kind::chain);
    if (need.lo > overlap) {
      need.is_range = true;
      need.lo /= most_at_once;
      need.hi = std::min(need.hi, 1.0);
      need.lo = std::min(need.lo, need.hi);
      need.share = need.lo;
    }
    set_roof(point, need);
    needs.push_back(need);
  }
  const Waited irregular = waited(roofs, point, cluster, [](const LevelBytes& level) {
    return is_memory(level.level) ? level.irregular : 0;
  });
  if (irregular.bytes > 0 && irregular.known) {
    Need need = need_of(point, threads, share, irregular, Limit::Kind::irregular);
    need.is_range = true;
    need.lo /= most_at_once;
    need.hi = std::min(need.hi, 1.0);
    need.lo = std::min(need.lo, need.hi);
    need.share = need.lo;
    set_roof(point, need);
    needs.push_back(need);
  }
  return needs;
}

}  // namespace gable::model
