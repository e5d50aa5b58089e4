#pragma once

// What a managed run was.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kmaf/engine/engine.hpp"
#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/movers/page_mover.hpp"
#include "kmaf/live/program/program.hpp"

namespace gable::kmaf::live {

/// CPU seconds that managing took, by source (the paper's figure 12). `faults` is time of the program, the
/// rest is time of this process. With the sampler `hardware`, `faults` is the time of its interrupts.
struct Spent {
  double faults = 0;   ///< number of samples times the cost of one; includes first touches
  double tables = 0;   ///< waking up, reading samples, finding out where pages lie, tables
  double mapping = 0;  ///< judging and calculating thread mappings
  double moving = 0;   ///< moving pages and binding threads

  double sum() const { return faults + tables + mapping + moving; }
};

/// Of accesses to pages that had been seen before: a first touch is local by nature.
struct Locality {
  std::uint64_t local = 0, remote = 0;
  std::optional<double> share() const {
    if (local + remote == 0) return {};
    return static_cast<double>(local) / static_cast<double>(local + remote);
  }
};

/// What an oracle made of what it knew.
struct Recognized {
  std::uint64_t tasks = 0;           ///< threads that began and are in the record
  std::uint64_t tasks_unknown = 0;   ///< that began and are not
  std::uint64_t tasks_gone = 0;      ///< that ended before it was known what they ran
  std::uint64_t tasks_missed = 0;    ///< in the record, and never began
  std::uint64_t pages_in_place = 0;  ///< in the record, and last seen on the node that was meant
  std::uint64_t pages_elsewhere = 0;
  std::uint64_t pages_missed = 0;   ///< in the record, and never seen in memory
  std::uint64_t unknown_bytes = 0;  ///< in memory and not in the record, code as well; the most at a time
};

struct Report {
  std::string policy;
  std::string sampler;             ///< empty: none
  bool managed = false;            ///< whether the policy could be carried out
  std::vector<std::string> notes;  ///< what is missing, what was found out of order, what was left so
  Ending ending;

  std::uint64_t samples = 0;      ///< that were looked at
  std::uint64_t passed_over = 0;  ///< that came faster than the budget allows
  std::uint64_t lost = 0;         ///< that the kernel could not hand over
  std::uint64_t not_memory = 0;   ///< to code, devices, memory that was already gone
  double samples_per_second = 0;  ///< over the whole run
  double rate_asked = 0;          ///< at the end, by the rate controller
  /// Samples in a second of each thread's CPU time, from the start on, of a sampler whose rate does not
  /// adapt: more than `rate_asked` are passed over.
  std::optional<double> rate_fixed;
  std::uint64_t threads_seen = 0;  ///< that began
  std::uint64_t processes_seen = 0;
  unsigned unit_bytes = 4096;  ///< that pages are counted and moved in

  Counts engine;
  Moves pages, threads;
  /// Objects of shared memory that were seen into, and those that were not; empty where that takes nothing.
  std::optional<Moves> shared_objects;
  Locality before;  ///< until the first page or thread was moved
  Locality after;   ///< in the last quarter of the run
  Spent spent;
  double budget = 0;  ///< share of the program's CPU time that managing may take
  /// What a sample costs the program, measured at the start: a fault, and with `hardware` an interrupt.
  double fault_seconds = 0;
  std::uint64_t table_bytes = 0, index_bytes = 0, matrix_bytes = 0;  ///< the most of each

  std::optional<Knowledge> learned;      ///< where that was asked for, and anything was
  std::optional<Recognized> recognized;  ///< of an oracle

  /// What the kernel's own balancing did meanwhile on the whole machine, where it was on.
  std::optional<std::uint64_t> kernel_hint_faults, kernel_pages_moved;
};

}  // namespace gable::kmaf::live
