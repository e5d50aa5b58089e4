#include "model/roofs/ladder/usable_size.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace gable::model {
namespace {

// Returns the time of a load for each working set, in an arbitrary unit.
std::map<double, double> ladder_times(const Roofs& roofs, int cluster, Kind kind) {
  std::map<double, double> times;
  for (const Roof& step : roofs.ladder) {
    const Case& spec = step.spec;
    const bool counts = kind == Kind::latency || spec.op == operations::load;
    if (step.status == Status::ok && spec.cluster == cluster && spec.kind == kind && spec.threads == 1 &&
        counts && step.value > 0)
      times[static_cast<double>(spec.bytes)] = kind == Kind::latency ? step.value : 1 / step.value;
  }
  return times;
}

// Returns the measured size of the next level of the cluster; 0: the next level is memory.
double next_end(const Roofs& roofs, const CacheLevel& level) {
  double end = 0;
  for (const CacheLevel& other : roofs.levels) {
    const auto bytes = static_cast<double>(other.measured_bytes);
    if (other.cluster == level.cluster && other.level > level.level && bytes > 0)
      end = end > 0 ? std::min(end, bytes) : bytes;
  }
  return end;
}

double half_way(const std::map<double, double>& times, double own_end, double next_end) {
  const auto own = times.find(own_end);
  if (own == times.end()) return 0;
  const auto next = next_end > 0 ? times.find(next_end) : std::prev(times.end());
  if (next == times.end() || next->second <= own->second) return 0;
  const double half = (own->second + next->second) / 2;
  for (auto before = own, at = std::next(own); at != times.end(); before = at++) {
    if (at->second < half) continue;
    const double part = (half - before->second) / (at->second - before->second);
    return before->first * std::pow(at->first / before->first, part);
  }
  return 0;
}

}  // namespace

UsableSize usable_size(const Roofs& roofs, const CacheLevel& level) {
  const auto own = static_cast<double>(level.measured_bytes);
  const double next = next_end(roofs, level);
  const auto by = [&](Kind kind) { return half_way(ladder_times(roofs, level.cluster, kind), own, next); };
  const double latency = by(Kind::latency), bandwidth = by(Kind::bandwidth);
  if (bandwidth <= 0) return {latency, latency};
  return {std::min(latency, bandwidth), bandwidth};
}

}  // namespace gable::model
