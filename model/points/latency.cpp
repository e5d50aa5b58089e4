#include "model/points/latency.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "model/points/threads.hpp"

namespace gable::model {
namespace {

// A latency in ns, or the mean of those of several nodes; `share`: of the data whose latency is in it.
struct Latency {
  double lo = 0, hi = 0, share = 0;
};

// Latencies by what both places were measured with: page size, threads, kernel; and the state of the machine.
using Latencies = std::map<std::string, Latency>;

std::string measured_with(const Roof& roof) {
  Case spec = roof.spec;
  spec.node = -1;
  spec.pattern = {};
  spec.tier = {};
  spec.bytes = 0;
  return key(spec) + (roof.other_state ? " in the other state" : "");
}

constexpr double nearly_all = 0.99;

Latencies latencies_of(const Roofs& roofs, int cluster, const std::map<int, double>& shares) {
  Latencies all;
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    const auto share = shares.find(spec.node);
    if (spec.kind != Kind::latency || !is_memory(spec.level) || spec.cluster != cluster ||
        roof.status != Status::ok || share == shares.end())
      continue;
    Latency& latency = all[measured_with(roof)];
    latency.lo += share->second * roof.lo;
    latency.hi += share->second * roof.hi;
    latency.share += share->second;
  }
  std::erase_if(all, [](const auto& each) { return each.second.share < nearly_all; });
  return all;
}

// The nodes from which this cluster takes the data.
std::map<int, double> nodes_of(const Roofs& roofs, const DataPlace& place, int cluster) {
  if (is_local(place.roof.pattern)) {
    for (const Roof& roof : roofs.roofs) {
      const Case& spec = roof.spec;
      if (spec.cluster == cluster && spec.pattern == Pattern::local && spec.tier == place.roof.tier)
        return {{spec.node, 1.0}};
    }
  }
  if (place.roof.node >= 0) return {{place.roof.node, 1.0}};
  return place.shares;
}

}  // namespace

std::optional<Factors> latency_factors(const Roofs& roofs, const Point& point, int cluster,
                                       const DataPlace& from, const DataPlace& to) {
  const std::set<int> clusters = point.cluster < 0 ? clusters_of(roofs) : std::set{cluster};
  std::optional<Factors> factors;
  for (const int one : clusters) {
    const Latencies after = latencies_of(roofs, one, nodes_of(roofs, to, one));
    for (const auto& [with, now] : latencies_of(roofs, one, nodes_of(roofs, from, one))) {
      const auto then = after.find(with);
      if (then == after.end()) continue;
      const Factors found{now.lo / then->second.hi, now.hi / then->second.lo};
      factors = factors ? Factors{std::min(factors->lo, found.lo), std::max(factors->hi, found.hi)} : found;
    }
  }
  return factors;
}

}  // namespace gable::model
