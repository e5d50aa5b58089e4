#pragma once

// The roofs that can stop a Point: those of its cluster, of where its data lies, of its mix of loads and
// stores, and of who else ran (LARM paper, sections 2 and 4.2).

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// One roof as it applies to a Point.
struct Limit {
  enum class Kind { memory, hybrid, cache, flops };
  Kind kind = Kind::memory;
  std::string name;      ///< "DRAM node 1, remote (load)", "L2 (mix2_1)", "FMA dp"
  std::string pattern;   ///< "local", "remote", "contended", ...; "hybrid"; "cache"; "core"
  int node = -1;         ///< memory: where the data lies; -1: several
  int threads = 0;       ///< of the cluster, behind the roof
  double value = 0;      ///< GB/s; flops: GFlop/s
  double lo = 0;         ///< 95 % interval; of a hybrid roof without a fitted model: no transfer overlaps ...
  double hi = 0;         ///< ... and all do
  bool fitted = true;    ///< false: a hybrid roof between those two bounds
  bool interval = true;  ///< false: how far `value` may be off is not known (so of published figures), `lo`
                         ///< and `hi` are the value itself
};

/// The Limit of a bandwidth or, but for its name, of a peak.
Limit limit_of(const Roof& roof);

/// Sorts by value, those of one value as they came.
void ascending(std::vector<Limit>& limits);

/// The bandwidth of a cluster that takes its bytes from several nodes: of the cluster, the threads (0: not
/// known), the share of loads in all bytes, and the nodes' shares (which sum to 1). Nothing where no model
/// was fitted for these nodes.
struct MixBandwidth {
  double value = 0;              ///< GB/s
  std::optional<double> lo, hi;  ///< 95 %; absent where the model's error is not known
  int threads = 0;               ///< that were measured; 0: not known
};
using MixModel = std::function<std::optional<MixBandwidth>(int cluster, int threads, double load_share,
                                                           const std::map<int, double>& node_shares)>;

/// The nodes' shares of the Point's resident bytes; those under 2 % (code, stacks, buffers of libraries) are
/// left out, and the rest sums to 1. Empty: not known.
std::map<int, double> node_shares(const Point& point);

/// Roofs of cluster `cluster` for the memory that `shares` names (for every memory when it is empty),
/// ascending. A Point that ran alone: local and remote ones, or the hybrid one over several nodes; otherwise
/// those that were measured with all clusters at once, and the local one where local_all was not. Where the
/// roofs hold several operations, that whose share of loads is nearest to the Point's; of several kernels and
/// page sizes, the best.
std::vector<Limit> memory_limits(const Roofs& roofs, const Point& point, int cluster,
                                 const std::map<int, double>& shares, const MixModel& hybrid);

/// The cluster's caches, slowest first.
std::vector<Limit> cache_limits(const Roofs& roofs, const Point& point, int cluster);

/// The cluster's floating-point peaks that fit the Point's precision, lowest first. Flops of unknown
/// precision are taken for doubles: single-precision peaks count only where they are above all of those. A
/// Point whose flops are mostly fused multiply-adds is held against the FMA peak alone.
std::vector<Limit> flop_limits(const Roofs& roofs, const Point& point, int cluster);

}  // namespace gable::model
