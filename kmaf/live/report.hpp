#pragma once

// The report of a managed run.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/programs/program.hpp"
#include "kmaf/engine/engine.hpp"
#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/movers/page_mover.hpp"
#include "kmaf/live/policy.hpp"
#include "model/records/note.hpp"

namespace gable::kmaf::live {

/// CPU seconds of management, by source (the paper's figure 12). `faults` is time of the program, the
/// rest is time of this process. With the sampler `hardware`, `faults` is the time of its interrupts.
struct Spent {
  double faults = 0;   ///< number of samples times the cost of one; includes first touches
  double tables = 0;   ///< wakeups, reading samples, querying pages' nodes, tables
  double mapping = 0;  ///< evaluating and computing thread mappings
  double moving = 0;   ///< moving pages and binding threads

  double sum() const { return faults + tables + mapping + moving; }
};

/// Counts accesses to pages that had been sampled before: a first touch is always local.
struct Locality {
  std::uint64_t local = 0, remote = 0;
  std::optional<double> share() const {
    if (local + remote == 0) return {};
    return static_cast<double>(local) / static_cast<double>(local + remote);
  }
};

/// How an oracle used its record.
struct Recognized {
  std::uint64_t tasks = 0;           ///< threads that started and are in the record
  std::uint64_t tasks_unknown = 0;   ///< that started and are not
  std::uint64_t tasks_gone = 0;      ///< that ended before their program was known
  std::uint64_t tasks_missed = 0;    ///< in the record but never started
  std::uint64_t pages_in_place = 0;  ///< in the record, and last seen on the intended node
  std::uint64_t pages_elsewhere = 0;
  std::uint64_t pages_missed = 0;   ///< in the record, but never seen in memory
  std::uint64_t unknown_bytes = 0;  ///< in memory but not in the record, including code; maximum
};

/// The share of all accesses to memory that a cluster's threads make to a node (os index).
struct AccessShare {
  int cluster = 0, node = 0;
  double share = 0;
  std::optional<double> stores;  ///< the part of this share that stores; nothing: not told apart from loads
};

/// Weights of any sum, of which `stores` are those of stores; `squares`: the sum of the samples' squared
/// weights.
struct AccessWeight {
  double all = 0, stores = 0, squares = 0;
};
/// Where less of the memory is seen (Report::access_seen_in), the shares of nodes are not known.
inline constexpr double enough_seen = 0.9;

/// By cluster and node.
using AccessWeights = std::map<std::pair<int, int>, AccessWeight>;

/// Their shares, with a sum of 1; empty without any weight. `with_stores`: stores were told apart.
std::vector<AccessShare> access_shares(const AccessWeights& weights, bool with_stores);
/// How many samples of equal weight would be as certain (Kish's effective sample size); 0: none.
double effective_samples(const AccessWeights& weights);

struct Report {
  Policy policy = Policy::os;  ///< as requested
  std::string sampler;         ///< empty: none
  bool managed = false;        ///< whether the policy could be carried out
  model::Notes notes;          ///< missing requirements, repairs, and what could not be restored
  Ending ending;
  double cpu_seconds = 0;  ///< of the program and all it started, as far as known

  std::uint64_t samples = 0;      ///< that were processed
  std::uint64_t passed_over = 0;  ///< ignored because they exceed the budget
  std::uint64_t lost = 0;         ///< that the kernel dropped
  std::uint64_t not_memory = 0;   ///< to code, devices and memory that was already freed
  double samples_per_second = 0;  ///< over the whole run
  double rate_asked = 0;          ///< at the end, by the rate controller
  /// Samples per second of each thread's CPU time, for a sampler with a fixed rate. Samples beyond
  /// `rate_asked` are ignored.
  std::optional<double> rate_fixed;
  std::uint64_t threads_seen = 0;  ///< that started
  std::uint64_t processes_seen = 0;
  unsigned unit_bytes = 4096;  ///< unit in which pages are counted and moved

  Counts engine;
  Moves pages, threads;
  /// Shared memory objects that could be sampled, and those that could not; empty if the sampler needs no
  /// changes.
  std::optional<Moves> shared_objects;
  Locality before;                  ///< until the first page or thread was moved
  Locality after;                   ///< in the last quarter of the run
  std::vector<AccessShare> access;  ///< mean over the time of the run; empty: no accesses were seen
  double access_samples = 0;        ///< effective number of samples behind `access`
  /// Share of the record's memory near which its samples were, of an oracle. The kernel hides neighbouring
  /// pages at a time, so where this is small, its samples are of a few places, however many they are.
  std::optional<double> access_seen_in;
  Spent spent;
  double budget = 0;  ///< share of the program's CPU time that managing may take
  /// What a sample costs the program, measured at the start: a fault, and with `hardware` an interrupt.
  double fault_seconds = 0;
  std::uint64_t table_bytes = 0, index_bytes = 0, matrix_bytes = 0;  ///< maximum of each

  std::optional<Knowledge> learned;      ///< if requested and not empty
  std::optional<Recognized> recognized;  ///< of an oracle

  /// What the kernel's own balancing did on the whole machine during the run, if it was on.
  std::optional<std::uint64_t> kernel_hint_faults, kernel_pages_moved;
};

}  // namespace gable::kmaf::live
