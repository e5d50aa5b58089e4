#pragma once

// The records of a measurement: the request (Case), a visit to it (Sample), the resulting figure (Roof).
// Skipped and invalid are results with a reason, never a missing record.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/domain/kind.hpp"
#include "model/domain/level.hpp"
#include "model/domain/operation.hpp"
#include "model/domain/pages.hpp"
#include "model/domain/pattern.hpp"
#include "model/domain/precision.hpp"
#include "model/domain/status.hpp"
#include "model/domain/tier.hpp"
#include "model/records/note.hpp"

namespace gable::model {

inline constexpr int schema = 1;  ///< version of every format

/// A measurement to make. Two Cases with the same fields are the same Case; `key` is its identity in files.
struct Case {
  Kind kind = Kind::bandwidth;
  int cluster = 0;  ///< whose threads
  Level level;      ///< a memory-side cache has the patterns and the node of the memory behind it
  Pattern pattern = Pattern::local;
  int node = -1;  ///< os index of the memory node; -1: several (congested) or none (flops)
  Tiers tier;     ///< of the node or nodes; none for flops
  Operation op;
  std::string kernel;                     ///< "load_avx512"
  Precision precision = Precision::none;  ///< of flops
  Pages pages;                            ///< none for flops
  int threads = 0;                        ///< of this cluster
  bool smt = false;                       ///< one thread per hardware thread instead of per core
  std::uint64_t bytes = 0;   ///< working set of each thread, all its streams together; 0 for flops
  int load_percent = 0;      ///< loaded_latency: requested share of the full load
  int other_node = -1;       ///< hybrid: the node of the other pages; -1: not a hybrid
  int node_percent = 0;      ///< hybrid: the share of every stream's pages that lie on `node`
  int node_weight = 0;       ///< hybrid: pages interleaved N:M throughout, N on `node`, ...
  int other_weight = 0;      ///< ... M on `other_node`; 0: alternating while both last, the rest on one
  double flop_per_byte = 0;  ///< validation: arithmetic intensity; else 0

  bool operator==(const Case&) const = default;
};

/// The Case's identity: every field as `name=value`, on one line, the same in every run and version of
/// schema 1. The fields of hybrids and of validation appear only in keys of these.
std::string key(const Case& spec);

/// The result of one visit to a Case; a Case is visited once per round.
struct Sample {
  Case spec;
  int round = 0;
  Status status = Status::ok;
  Note reason;  ///< why it is not ok; none if it is

  // One entry per kept repetition.
  std::vector<double> seconds;
  std::vector<double> work;  ///< bytes (bandwidth), flops (flops, validation), dependent accesses (latencies)
                             ///< or lines (random)
  std::vector<double> load_bytes;  ///< loaded_latency: bytes moved by the other threads; otherwise empty

  int disturbed = 0;          ///< repetitions dropped because a thread was stopped
  int crowded = 0;            ///< repetitions dropped because another hardware thread used a core
  std::string stopped;        ///< "tight" (interval), "time" (cell's time was up), "interrupted"
  double clock_ghz = 0;       ///< measured beside the repetitions; 0: not measured
  double adds_per_cycle = 0;  ///< independent additions beside the kept repetitions, of the core that did the
                              ///< fewest (median; model/records/crowding.hpp); 0: not probed
  double steal_percent = 0;   ///< CPU time the hypervisor took away, of all CPUs used
  std::vector<unsigned> cpus;               ///< on which the threads ran
  std::map<int, std::uint64_t> node_bytes;  ///< location of the pages, by the node's os index
  Notes notes;          ///< differences from the request: smaller buffer, no huge pages, ...
  std::string started;  ///< UTC, ISO 8601

  bool operator==(const Sample&) const = default;
};

/// The figure from all Samples of a Case.
struct Roof {
  Case spec;
  double value = 0;  ///< in `unit`
  double lo = 0;     ///< 95 % confidence interval
  double hi = 0;
  std::string unit;          ///< "GB/s" (1e9 B/s), "GFlop/s", "ns", "M/s"
  int n = 0;                 ///< repetitions behind it
  double load_gb_per_s = 0;  ///< loaded_latency: the reached load
  Status status = Status::ok;
  Note reason;
  std::string source;         ///< of a published figure: the work and its table or equation; empty: measured
  double clock_ghz = 0;       ///< median of the visits' clocks; 0: not measured
  double adds_per_cycle = 0;  ///< the most independent additions of a core beside a visit; 0: not probed
  Notes remarks;              ///< what a reader of the value must know: a memory-side cache, an idle machine
  bool other_state = false;   ///< not measured in the state of the machine that other figures are of
  double idle_value = 0;      ///< of an idle machine, where `value` is that at a small load; 0: not replaced
  double idle_lo = 0, idle_hi = 0;  ///< its 95 % interval

  bool operator==(const Roof&) const = default;
};

/// The clusters that the roofs are of.
std::set<int> clusters_in(const std::vector<Roof>& roofs);

}  // namespace gable::model
