#pragma once

// The records of a plan, what the cells of a cluster have in common, and the sizes of working sets.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/plan/patterns.hpp"
#include "bench/plan/preset.hpp"
#include "machines/host.hpp"
#include "machines/machine.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

/// Cases that are measured at the same time, one per participating cluster.
struct Run {
  std::vector<model::Case> cases;
  std::vector<Share> shares;       ///< one per case: where its data lies
  bool first_pass = false;         ///< every visit begins with a pass over the data, so that the memory-side
                                   ///< caches in front of it hold only its end
  std::uint64_t loader_bytes = 0;  ///< loaded_latency: working set of each thread that generates the load
  std::uint64_t swept_bytes = 0;   ///< a chase of at most this size is read first, to fill the caches
  double least_share = 0.5;        ///< of its working sets that free memory must have room for
  model::Note skip;                ///< why it cannot be measured here; empty if it can
  model::Notes notes;              ///< remarks for readers of the figures
  int priority = 0;                ///< 0 first
  int rounds = 1;
  double visit_seconds = 0;
  double seconds = 0;    ///< the expected duration of one visit, including its share of touching memory
  bool at_once = false;  ///< all clusters work with what is private to each: compared with a cluster alone
  std::string
      race;  ///< runs with the same text ask for the same figure, of which the best counts; empty: none
  // Like clusters, nodes or pairs: one is measured in full, the others in spots
  // (bench/schedule/likeness.hpp).
  std::vector<std::string> subjects;  ///< of a spot: what it is compared for; of a reserve: it is visited if
                                      ///< a spot of any of them differs; several: it has no spots of its own
  std::string twin;                   ///< of a spot: the key of the representative's Case
  std::string like;                   ///< of spots and reserves: the representative, in words
  bool reserve = false;               ///< visited only if a spot of its subject differs from its twin
  bool as_asked = false;   ///< a user gave its size: the plan does not make it smaller, only free memory may
  double ample_share = 1;  ///< of its working sets that is as large as the default one
};

struct Plan {
  std::vector<Run> runs;      ///< by priority, then by placement so that buffers are kept
  double seconds = 0;         ///< expected, all rounds
  double set_up_seconds = 0;  ///< of these, touching and linking memory
  int rounds = 0;
};

/// Identifies the location of a run's buffers: runs of the same placement can reuse each other's buffers.
std::string placement(const Run& run);

/// Sets for each share whether it is the cluster's own memory, and how many threads can touch it.
void describe_shares(const machines::Machine& machine, const Options& options, std::vector<Run>& runs);

/// Throws Error::usage for options that this machine or CPU cannot serve.
void check_options(const machines::Machine& machine, const Options& options);

/// The first cache in which `bytes` of each of `threads` threads fit: "L1", "L2", ...; else "memory".
model::Level level_of(const machines::Cluster& cluster, std::uint64_t bytes, int threads, bool smt);

/// Working set per thread that fits in cache `level` (index into cluster.caches) with `threads` threads
/// running, and not in the previous level; 0 if there is none: the cache is too small compared with the
/// previous one, unless it is known to hold other lines.
std::uint64_t cache_working_set(const machines::Cluster& cluster, std::size_t level, int threads, bool smt);

/// Why there is none.
model::Note no_cache_working_set(const machines::Cluster& cluster, std::size_t level, int threads, bool smt);

/// The default working set of a whole cluster in memory: eight times all its last-level caches and at least
/// 256 MiB. No time budget makes it smaller, because the caches would then hold more of it.
std::uint64_t usual_memory_set(const machines::Cluster& cluster);

/// Working set per thread that exceeds all caches: `memory_set`, or the default if it is 0, divided by the
/// threads.
std::uint64_t memory_working_set(const machines::Cluster& cluster, int threads, std::uint64_t memory_set);

/// The smallest working set of a whole cluster that a user may ask for: twice all its last-level caches, or
/// 256 MiB if the topology does not give their size. Figures of less than the default have a remark.
std::uint64_t least_memory_set(const machines::Cluster& cluster);

/// The size of all last-level caches of a cluster together; 0: not known.
std::uint64_t last_level_bytes(const machines::Cluster& cluster);

/// The hardware threads of a cluster to use, core by core.
std::vector<unsigned> pus_of(const machines::Cluster& cluster, int threads, bool smt);

}  // namespace gable::bench
