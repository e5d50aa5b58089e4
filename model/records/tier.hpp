#pragma once

// Records of memory benchmarks of tiers. `gable place --memory` writes them to tiers.jsonl.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/domain/status.hpp"
#include "model/domain/tier.hpp"
#include "model/records/note.hpp"

namespace gable::model {

/// A memory benchmark of a tier (PMEM graph thesis, section 2.2, and writes in blocks).
struct TierCase {
  std::string tier;  ///< as it was asked for: "DRAM", "node:2", "/mnt/pmem"
  std::string what;  ///< "load", "store", "copy", "scale", "add", "triad"; "latency"
  std::string way;   ///< of stores: "store", "clwb", "clflushopt", "cvap", "nt"; otherwise empty
  std::uint64_t access_bytes = 0;  ///< loads in blocks of so many, which do not wait for each other; stores
                                   ///< likewise, each durable before the next (but for plain stores); 0: one
                                   ///< stream
  std::string order;               ///< "sequential"; "random": of the blocks, or of a latency's lines
  int cluster = 0;                 ///< whose threads
  int threads = 0;
  bool smt = false;         ///< one thread per hardware thread instead of per core
  std::uint64_t bytes = 0;  ///< working set of all threads together, at least

  bool operator==(const TierCase&) const = default;
};

/// The TierCase's identity, on one line.
std::string key(const TierCase& spec);

/// Whether it times dependent loads; otherwise it moves bytes: loads, stores, or both.
bool is_latency(const TierCase& spec);
bool is_load(const TierCase& spec);
bool is_store(const TierCase& spec);
/// Whether it stores blocks instead of a stream.
bool stores_blocks(const TierCase& spec);
/// "ns", "GB/s"
std::string_view unit_of(const TierCase& spec);
/// Whether stores in this way leave their data in the caches; others push it out to the memory.
bool stays_in_caches(std::string_view way);
/// Whether stores in this way are non-temporal.
bool is_non_temporal(std::string_view way);

/// The result of one visit to a TierCase.
struct TierSample {
  TierCase spec;
  int round = 0;
  std::string kernel;  ///< "block256_nt_avx512"
  Tier kind = plain_tier;
  std::string how;          ///< how its memory was allocated: "bound to node 0", "pmem_map_file on DAX", ...
  bool persistent = false;  ///< survives the loss of power
  double vendor_gb_per_s = 0;               ///< the vendor's claim for loads or stores; 0: not given
  std::vector<double> seconds;              ///< of each kept repetition
  std::vector<double> work;                 ///< bytes, or dependent accesses of a latency
  int disturbed = 0;                        ///< repetitions dropped because something else ran
  double clock_ghz = 0;                     ///< measured beside the repetitions; 0: not measured
  double steal_percent = 0;                 ///< CPU time the hypervisor took away, of all CPUs used
  std::vector<unsigned> cpus;               ///< on which the threads ran
  std::map<int, std::uint64_t> node_bytes;  ///< where the pages were seen to be; a file's on DAX are on none
  Status status = Status::ok;
  Note reason;
  Notes notes;
  std::string started;  ///< UTC, ISO 8601

  bool operator==(const TierSample&) const = default;
};

}  // namespace gable::model
