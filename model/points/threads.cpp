#include "model/points/threads.hpp"

#include <algorithm>
#include <cmath>

#include "model/roofs/best.hpp"

namespace gable::model {

namespace {

bool is_limit(const Roof& roof) {
  return roof.status == Status::ok && (roof.spec.kind == Kind::bandwidth || is_peak(roof.spec.kind));
}

}  // namespace

std::set<int> clusters_of(const Roofs& roofs) {
  return clusters_in(roofs.roofs);
}

int cores_of(const Roofs& roofs, int cluster) {
  if (const auto known = roofs.machine_cores.find(cluster); known != roofs.machine_cores.end())
    return known->second;
  int most = 0;
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.cluster == cluster && is_limit(roof)) most = std::max(most, roof.spec.threads);
  }
  return most;
}

double cluster_share(const Roofs& roofs, const Point& point) {
  if (point.cluster >= 0) return 1;
  const std::size_t known = roofs.machine_cores.size();
  return 1.0 / static_cast<double>(std::max<std::size_t>(1, known > 0 ? known : clusters_of(roofs).size()));
}

int threads_at_once(const Point& point) {
  return point.cores > 0 ? point.cores : point.threads;
}

int cores_used(const Roofs& roofs, const Point& point, int cluster) {
  const int cores = cores_of(roofs, cluster);
  const int most = threads_at_once(point);
  if (most == 0) return cores;
  return std::min(cores, static_cast<int>(std::ceil(most * cluster_share(roofs, point))));
}

double part_of_busiest(const Point& point, double share, int threads) {
  return std::max(share / threads, point.span);
}

bool is_of_more_threads(const Roofs& roofs, const Point& point, int cluster, int threads) {
  const int least = point.threads == 0 ? 1 : cores_used(roofs, point, cluster);
  return least < cores_of(roofs, cluster) && threads > least;
}

void keep_judging(std::vector<const Roof*>& targets, int cores, int all_cores) {
  int least = 0;
  for (const Roof* roof : targets) {
    const int threads = roof->spec.threads;
    if (threads >= cores && threads != 0 && (least == 0 || threads < least)) least = threads;
  }
  const bool counts_least = cores < all_cores && least > 0;
  std::erase_if(targets, [&](const Roof* roof) {
    return !has_threads(*roof, cores) || (counts_least && roof->spec.threads != least);
  });
}

int most_of_fewer_threads(const Roofs& roofs, int cluster, int cores) {
  int most = 0;
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.cluster == cluster && is_limit(roof) && !has_threads(roof, cores))
      most = std::max(most, roof.spec.threads);
  }
  return most;
}

}  // namespace gable::model
