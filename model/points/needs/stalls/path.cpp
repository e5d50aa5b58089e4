#include "model/points/needs/stalls/path.hpp"

#include <algorithm>
#include <cmath>

#include "model/points/needs/measured.hpp"
#include "model/points/needs/stalls/window.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"
#include "model/roofs/operation_latency.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

struct OperationTime {
  MeasuredRange ns;
  bool is_measured = true;
};

std::optional<MeasuredRange> measured_time(const Roofs& roofs, const Point& point, int cluster,
                                           LatencyClass of) {
  if (of == LatencyClass::load) return latency_of(roofs, point, cluster, Level::cache(1));
  const auto roof = operation_latency(roofs.roofs, cluster, of);
  if (!roof) return std::nullopt;
  if (of == LatencyClass::forward) return MeasuredRange{0, roof->hi, roof->value};  // some cores skip it
  // The longer the quotient, the longer a division takes: 5 to 20 cycles on a Neoverse V1 (Arm, "Software
  // Optimization Guide"), whose measured ones have quotients of medium length.
  constexpr double short_quotient = 0.5, long_quotient = 1.5;
  if (is_integer_division(of))
    return MeasuredRange{short_quotient * roof->lo, long_quotient * roof->hi, roof->value};
  return MeasuredRange{roof->lo, roof->hi, roof->value};
}

OperationTime time_of_operation(const Roofs& roofs, const Point& point, int cluster,
                                const LatencyClassRow& row, double ghz) {
  if (row.value == LatencyClass::integer) return {usual_latency(row, ghz), true};
  const auto ns = measured_time(roofs, point, cluster, row.value);
  return ns ? OperationTime{*ns, true} : OperationTime{usual_latency(row, ghz), false};
}

struct PathTime {
  double operations = 0, lo = 0, hi = 0, seconds = 0, unknown = 0;
  LatencyClass slowest = LatencyClass::integer;
  double seconds_of_slowest = 0;

  void add(const LatencyClassRow& row, double count, const OperationTime& each) {
    operations += count;
    lo += count * each.ns.lo * 1e-9;
    hi += count * each.ns.hi * 1e-9;
    const double own = count * each.ns.value * 1e-9;
    seconds += own;
    if (!each.is_measured) unknown += own;
    if (own < seconds_of_slowest) return;
    seconds_of_slowest = own;
    slowest = row.value;
  }
};

// Chained lines that L1 does not serve have a need of their own, with the latency of L1 in it.
CriticalPath without_chains(const Point& point) {
  CriticalPath path = point.instructions.path;
  if (point.levels.empty()) return path;
  double& loads = path[LatencyClass::load];
  const double side_by_side = chains_side_by_side(point, window_of_path);
  loads = std::max(0.0, loads - point.levels.front().chained / profile_line_bytes / side_by_side);
  return path;
}

}  // namespace

MeasuredRange usual_latency(const LatencyClassRow& row, double ghz) {
  const double lo = row.least / ghz, hi = row.most / ghz;
  return {lo, hi, lo > 0 ? std::sqrt(lo * hi) : (lo + hi) / 2};
}

std::optional<Need> path_need(const Roofs& roofs, const Point& point, int cluster) {
  constexpr double much = 0.1;  // of the time, by latencies that were not measured
  const double ghz = cluster_clock(roofs, cluster);
  const int threads = cores_used(roofs, point, cluster);
  const CriticalPath path = without_chains(point);
  if (ghz <= 0 || threads <= 0 || !path.is_known()) return std::nullopt;
  PathTime time;
  for (const LatencyClassRow& row : latency_class_rows) {
    if (path[row.value] > 0)
      time.add(row, path[row.value], time_of_operation(roofs, point, cluster, row, ghz));
  }
  const double share = cluster_share(roofs, point);
  const double part = part_of_busiest(point, share, threads) / point.seconds;
  Need need;
  need.limit.kind = Limit::Kind::path;
  need.limit.target = "dependent operations";
  need.slowest = time.slowest;
  need.limit.threads = threads;
  need.lo = part * time.lo;
  need.hi = part * time.hi;
  need.share = part * time.seconds;
  need.bytes = share * time.operations;
  if (time.unknown > much * time.seconds) {
    need.is_range = true;
    need.limit.estimate = "usual latencies (those of this machine were not measured)";
  }
  need.limit.rate = need.bytes / point.seconds / 1e9;
  need.limit.value = need.share > 0 ? need.limit.rate / need.share : 0;
  need.limit.lo = need.hi > 0 ? need.limit.rate / need.hi : 0;
  need.limit.hi = need.lo > 0 ? need.limit.rate / need.lo : need.limit.value;
  return need;
}

}  // namespace gable::model
