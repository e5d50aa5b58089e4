#pragma once

// The policies that decide where threads run and pages lie in the simulated machine: one class per policy,
// with a common interface.

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "kmaf/engine/engine.hpp"
#include "kmaf/replay/machine/simulated_machine.hpp"
#include "kmaf/replay/trace/prepared_trace.hpp"

namespace gable::kmaf {

/// The costs of management in seconds, from measurements listed in docs/kmaf/simulated-machine.md.
struct Costs {
  double fault = 1.3e-6;            ///< a fault caused to see an access
  double page_move = 5e-6;          ///< a 4 KiB page, moved in batches
  double task_move = 5e-6;          ///< without the effect of cold caches, which is simulated
  double mapping_of_thread = 1e-4;  ///< a mapping by Scotch, per thread
};

/// The places where the oracle puts pages: on the node with the most accesses, on the one that touches them
/// first, or round-robin. With `fast_by_accesses` and `fast_interleaved`, the pages with the most accesses go
/// to fast memory without cores as long as it has room: to the one that is local to the node with the most
/// accesses, or round-robin. The other pages are placed by most accesses, or round-robin.
enum class OraclePages { most_accesses, first_touch, interleaved, fast_by_accesses, fast_interleaved };

struct ReplayOptions {
  double program_seconds = 30;  ///< the run time of the traced program under the OS
  int passes = 12;              ///< in which a looped trace is simulated
  double swaps_per_second = 1;  ///< threads that the OS exchanges or moves per second, on the whole machine
  Config config;                ///< of the engine
  double budget = 0.01;         ///< of the sampling rate: share of CPU time
  Costs costs;
  Mapping mapping;                                 ///< of the oracle's threads, see best_for()
  OraclePages pages = OraclePages::most_accesses;  ///< with `mapping`
  std::function<void()> watch;  ///< if set, called regularly in every run; an exception from it ends the run
  /// If set, called after every run of best_for() or run_policies(): how many have ended, and of how many.
  /// Several threads call it.
  std::function<void(int ended, int all)> progress;
};

/// The locations of threads and pages. A policy changes them; the simulation reads them.
struct Placement {
  std::vector<int> leaf;           ///< of each thread; -1: has not run yet
  std::vector<std::int16_t> home;  ///< of each page, a number of the machine's memories; -1: not touched yet
  std::vector<std::uint8_t> hidden;  ///< pages whose next access faults
};

/// CPU seconds of the program that a policy used, by source (figure 12 of the paper).
struct Overhead {
  double faults = 0, mapping = 0, page_moves = 0, task_moves = 0;
  double sum() const { return faults + mapping + page_moves + task_moves; }
};

struct PolicyCounts {
  std::uint64_t samples = 0, pages_moved = 0, tasks_moved = 0;
  Overhead overhead;
};

/// The interface between a policy and the simulation. Costs are charged to the thread that runs at that time.
class Policy {
 public:
  struct World {
    const SimulatedMachine& machine;
    const PreparedTrace& trace;
    const ReplayOptions& options;
    Placement& placement;
    std::mt19937_64& random;
    std::vector<double>& owed;       ///< seconds of management that each thread still has to spend
    const std::vector<double>& ran;  ///< CPU seconds of each thread so far
    std::vector<std::pair<int, int>>&
        moved;         ///< pages that moved from one memory to another, for the traffic
    const int& piece;  ///< the piece of the steady part that runs now; negative: all of them, again and again
  };

  explicit Policy(const World& world) : world_(world) {}
  virtual ~Policy() = default;

  /// The leaf of a thread that runs for the first time. The model of the OS: the node with the fewest
  /// threads, there the core with the fewest, there a free hardware thread; ties are decided at random.
  virtual int first_leaf(int thread);
  /// The home of a page that is touched for the first time: the memory of the node of `thread`.
  virtual int first_home(std::uint64_t page, int thread);
  /// A page fault: the first touch of a page, which costs the same under every policy, or an access to a
  /// hidden page, which then becomes visible.
  virtual void fault(Record record, double seconds, bool first_touch);
  /// Reports that `interval` seconds have passed since the last call. The model of the OS: occasionally two
  /// threads are exchanged, or one moves to a free hardware thread.
  virtual void advance(double seconds, double interval);

  /// Reports that the program repeated the steady part `work` times in `seconds`, in which no thread moved.
  virtual void progressed(double /*work*/, double /*seconds*/) {}
  virtual Trials trials() const { return Trials::none; }

  const PolicyCounts& counts() const { return counts_; }

 protected:
  int node_of(int thread) const;
  void swap_now_and_then(double interval);
  void move_page(std::uint64_t page, int to, int payer);
  void move_thread(int thread, int leaf);
  /// Hides the next pages in the order of their numbers, cyclically. The trace's accesses represent many of
  /// the program's. So the next access faults at once: a visit of the part of the program that runs now, at a
  /// random moment. A page that it does not visit stays hidden.
  void hide(double pages, double seconds);

  World world_;
  PolicyCounts counts_;

 private:
  double to_hide_ = 0;
  std::uint64_t next_to_hide_ = 0;
};

struct PolicyEntry {
  const char* name;
  const char* summary;
  bool deterministic;  ///< all runs of the same order are identical
  bool still;          ///< nothing moves
  std::unique_ptr<Policy> (*make)(const Policy::World& world);
};

/// All policies; the first is the OS, the reference for the others.
const std::vector<PolicyEntry>& policies();

}  // namespace gable::kmaf
