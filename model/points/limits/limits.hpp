#pragma once

// The roofs that can stop a Point: those that fit its cluster, the location of its data, its mix of loads and
// stores, and the other clusters' activity (LARM paper, sections 2 and 4.2).

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/points/access.hpp"
#include "model/records/point.hpp"
#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// One roof as it applies to a Point.
struct Limit {
  /// irregular: lines of memory without an order. chain: lines that wait for each other. walks: of pages that
  /// the TLB does not hold. branches: mispredicted ones, which wait for loads. path: operations that
  /// wait for each other. integer: additions and the like in general registers. loads: into vector
  /// registers, by their number. iterations: of loops, by their number. contention: for lines that several
  /// threads use at the same time.
  enum class Kind {
    memory,
    hybrid,
    side_cache,
    cache,
    flops,
    irregular,
    chain,
    walks,
    branches,
    path,
    integer,
    loads,
    iterations,
    contention
  };
  Kind kind = Kind::memory;
  std::string target;  ///< "DRAM node 1, remote", "L2", "FMA DP"
  std::string detail;  ///< in brackets behind it: "load", "mix2_1"; may be empty
  std::string tiers;   ///< of a mix of tiers, in place of a target: "70 % DRAM and 30 % HBM"
  Level level;         ///< as in a Case
  Operation op;        ///< as in a Case; none: of a mix
  Precision precision = Precision::none;  ///< of flops
  Tiers tier;                             ///< as in a Case; none: of a mix of nodes
  Pattern pattern = Pattern::local;
  int node = -1;    ///< memory: location of the data; -1: several nodes
  int threads = 0;  ///< of the cluster, for which the roof was measured
  /// The share of loads in all bytes of the measured operation, or of the roofs of a mix of nodes together.
  /// Absent where the roof is no bandwidth, or a fitted model gives it.
  std::optional<double> load_share;
  double value = 0;      ///< GB/s; flops: GFlop/s
  double rate = 0;       ///< of the Point at this level, in the same unit; 0: that of its instructions
  double lo = 0;         ///< 95 % interval; of a hybrid roof without a fitted model: no transfer overlaps ...
  double hi = 0;         ///< ... and all do
  bool fitted = true;    ///< false: a hybrid roof between those two bounds
  std::string estimate;  ///< how the roof was estimated; empty: it was measured, or fitted to its case
  std::string reason;    ///< why the hybrid model of these nodes does not give the roof; empty: there is none
  Case measured;         ///< of the roof, or of the one with the largest part in it
  bool interval = true;  ///< false: the uncertainty of `value` is unknown (as for published figures); `lo`
                         ///< and `hi` equal it
  double times_in_wider = 1;  ///< flops: how many times as high the peak of the widest vectors is

  /// "DRAM node 1, remote (load)", "L2 (mix2_1)", "FMA DP", "70 % DRAM and 30 % HBM, contended"
  std::string name() const;
};

/// The share of loads in the Point's bytes; 1 without bytes.
double load_share(const Point& point);

/// Whether the roof was measured with about the Point's share of loads (within a quarter), or is no
/// bandwidth.
bool has_like_mix(const Limit& limit, const Point& point);

/// The Limit of a bandwidth, or of a peak without its name.
Limit limit_of(const Roof& roof);

/// The level whose bytes the Limit bounds; none for arithmetic, and for chains of loads, which several levels
/// serve.
std::optional<Level> limited_level(const Limit& limit);

/// What a Limit is a limit of.
enum class LimitPart {
  core,      ///< arithmetic, the number of instructions, operations that wait for each other, L1
  transfer,  ///< a further cache, or a memory
  waiting,   ///< loads, branches or page walks that wait for lines, and lines that other cores use
};
LimitPart limited_part(const Limit& limit);

/// Sorts by value; equal values keep their order.
void ascending(std::vector<Limit>& limits);

/// The bandwidth of a cluster that takes its bytes from several nodes, for the cluster, the threads (0:
/// unknown), and the nodes' shares of the loads and stores (whose sum is 1).
struct MixBandwidth {
  double value = 0;              ///< GB/s; 0: no model was fitted for these nodes, or ...
  std::string reason;            ///< ... none can predict it, because of this
  std::optional<double> lo, hi;  ///< 95 %; absent if the model's error is unknown
  int threads = 0;               ///< of the measurement; 0: unknown
  std::string estimate;          ///< by what it was estimated; empty: the model was fitted to this case
  std::string check;             ///< what few measured cells say of the estimate; empty: there are none
};
/// All clusters run.
struct AllBusy {
  std::map<int, LoadStore> gb_per_s;  ///< what a node gives the cluster of loads or stores alone; 0: unknown
  bool own = false;                   ///< each cluster uses its own nodes alone
};
/// Without `busy` the cluster runs alone.
using MixModel =
    std::function<MixBandwidth(int cluster, int threads, const std::map<int, LoadStore>& node_shares,
                               const std::optional<AllBusy>& busy)>;

/// Whether the data of each thread may lie on its own cluster's nodes while all clusters are busy. Of a Point
/// of all clusters: every cluster whose own nodes are known has some of it there, and the policy does not
/// spread the pages ("interleave", "weighted"). Of a Point of one cluster: a node of this cluster alone has
/// some of it, and the policy leaves the pages where they are first touched.
bool may_be_local(const Roofs& roofs, const Point& point, int cluster, const std::map<int, double>& shares);

/// Roofs of cluster `cluster` for the memory in `shares` (for every memory if it is empty), ascending. For a
/// Point that ran alone these are the local and remote roofs, or the hybrid roof over several nodes.
/// Otherwise they are the roofs measured with all clusters at once, and the local roof if local_all was not
/// measured; for data in several tiers, the roof of their mix. Each is the roof of the Point's mix of loads
/// and stores (model/points/limits/mix_roof.hpp). The contended roof of a Point of all clusters is an even
/// share of what the node gives all of them.
std::vector<Limit> memory_limits(const Roofs& roofs, const Point& point, int cluster,
                                 const std::map<int, double>& shares, const MixModel& hybrid);

/// Whether the bytes that a memory-side cache serves are known.
bool has_side_cache(const std::vector<LevelBytes>& levels);

/// Roofs of the memory-side caches in front of the memory in `shares` (of all memory if it is empty),
/// ascending. They are chosen as the roofs of that memory are.
std::vector<Limit> side_cache_limits(const Roofs& roofs, const Point& point, int cluster,
                                     const std::map<int, double>& shares);

/// The roof of one of the cluster's caches; nothing if it has none.
std::optional<Limit> cache_limit(const Roofs& roofs, const Point& point, int cluster, const Level& level);

/// The cluster's caches, slowest first.
std::vector<Limit> cache_limits(const Roofs& roofs, const Point& point, int cluster);

/// The best peak of an operation for the cores that the Point uses of the cluster: of the least number of
/// threads that is enough. `vector_bits`: 0 is the best of all widths. nullptr if there is none.
const Roof* best_peak(const Roofs& roofs, const Point& point, int cluster, const Operation& op,
                      Precision precision, int vector_bits = 0);

/// The cluster's floating-point peaks that fit the Point's precision, lowest first. Flops of unknown
/// precision are assumed to be double precision: single-precision peaks count only if they are above all
/// double-precision ones. A Point whose flops are mostly fused multiply-adds, or only additions or
/// multiplications, is compared with the peak of these alone, if it is known.
std::vector<Limit> flop_limits(const Roofs& roofs, const Point& point, int cluster);

}  // namespace gable::model
