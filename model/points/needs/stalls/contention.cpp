#include "model/points/needs/stalls/contention.hpp"

#include <algorithm>
#include <vector>

#include "model/c2c/classes.hpp"
#include "model/points/needs/measured.hpp"
#include "model/points/needs/thread_wait.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"

namespace gable::model {
namespace {

double sum(const std::vector<LevelBytes>& levels, double LevelBytes::*amount) {
  double bytes = 0;
  for (const LevelBytes& level : levels) bytes += level.*amount;
  return bytes;
}

// Without those of the OpenMP library: threads that contend for its barriers and locks wait for each other
// (thread_wait).
double contested_bytes(const Point& point) {
  double bytes = sum(point.levels, &LevelBytes::contested);
  for (const FunctionWork& work : point.functions) {
    if (is_openmp_runtime(work.object)) bytes -= sum(work.levels, &LevelBytes::contested);
  }
  return std::max(0.0, bytes);
}

}  // namespace

std::string contended_object(const Point& point) {
  const double all = sum(point.levels, &LevelBytes::contested);
  for (const ObjectBytes& object : point.objects) {
    if (all > 0 && sum(object.levels, &LevelBytes::contested) >= all / 2) return object.name;
  }
  return {};
}

double apart_share(const Point& point) {
  const double all = sum(point.levels, &LevelBytes::contested);
  return all > 0 ? sum(point.levels, &LevelBytes::contested_apart) / all : 0;
}

std::optional<Need> contention_need(const Roofs& roofs, const Point& point, int cluster) {
  const double bytes = contested_bytes(point);
  const int threads = cores_used(roofs, point, cluster);
  if (bytes <= 0 || point.threads == 1 || threads <= 0 || point.seconds <= 0) return std::nullopt;
  const auto line = changed_line(roofs, point.cluster, static_cast<int>(clusters_of(roofs).size()));
  const auto load = latency_of(roofs, point, cluster, Level::memory());
  if (!line && !load) return std::nullopt;
  Need need;
  need.limit.kind = Limit::Kind::contention;
  need.limit.target = "contended lines";
  need.limit.threads = threads;
  need.limit.estimate = line ? "" : "the latency of memory";
  need.bytes = bytes;
  need.is_range = true;
  need.hi = std::min(1.0, bytes / profile_line_bytes * (line ? line->hi : load->hi) * 1e-9 / point.seconds);
  need.limit.rate = bytes / point.seconds / 1e9;
  need.limit.value = need.limit.lo = need.limit.rate / need.hi;
  need.limit.hi = 0;
  need.limit.fitted = false;
  return need;
}

}  // namespace gable::model
