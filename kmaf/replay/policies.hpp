#pragma once

// What decides where threads run and pages lie in the simulated machine: one class a policy, all behind one
// seam.

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kmaf/engine/engine.hpp"
#include "kmaf/engine/rate.hpp"
#include "kmaf/replay/prepared_trace.hpp"
#include "kmaf/replay/simulated_machine.hpp"

namespace gable::kmaf {

/// What managing costs, in seconds; from measurements that docs/kmaf-replay.md lists.
struct Costs {
  double fault = 1.3e-6;            ///< a fault taken to see an access
  double page_move = 48e-6;         ///< a 4 KiB page, moved in batches
  double task_move = 5e-6;          ///< without its cold caches, which are simulated
  double mapping_of_thread = 1e-4;  ///< a mapping by Scotch, for each thread
};

struct ReplayOptions {
  double program_seconds = 30;  ///< how long the traced program would run under the OS
  double swaps_per_second = 1;  ///< threads that the OS exchanges or moves, on the whole machine
  Config config;                ///< of the engine
  double budget = 0.01;         ///< of the sampling rate: share of CPU time
  Costs costs;
  std::function<void()> watch;  ///< if given, called now and then in every run; what it throws ends the run
};

/// Where everything is. A policy changes it; the simulation reads it.
struct Placement {
  std::vector<int> leaf;             ///< of each thread; -1: has not run yet
  std::vector<std::int16_t> home;    ///< node of each page; -1: not touched yet
  std::vector<std::uint8_t> hidden;  ///< pages whose next access faults
};

/// CPU seconds of the program that a policy took, by source (the paper's figure 12).
struct Overhead {
  double faults = 0, mapping = 0, page_moves = 0, task_moves = 0;
  double sum() const { return faults + mapping + page_moves + task_moves; }
};

struct PolicyCounts {
  std::uint64_t samples = 0, pages_moved = 0, tasks_moved = 0;
  Overhead overhead;
};

/// The seam between a policy and the simulation. Costs are charged to the thread that runs meanwhile.
class Policy {
 public:
  struct World {
    const SimulatedMachine& machine;
    const PreparedTrace& trace;
    const ReplayOptions& options;
    Placement& placement;
    std::mt19937_64& random;
    std::vector<double>& owed;  ///< seconds that each thread still has to spend on being managed
    std::vector<std::pair<int, int>>& moved;  ///< pages that moved from one node to another, for the traffic
  };

  explicit Policy(const World& world) : world_(world) {}
  virtual ~Policy() = default;

  /// The leaf of a thread that runs for the first time. The OS's model: the node with the fewest threads,
  /// there the core with the fewest, there a free hardware thread; ties by lot.
  virtual int first_leaf(int thread);
  /// The home of a page that is touched for the first time: the node of `thread`, which touches it.
  virtual int first_home(std::uint64_t page, int thread);
  /// A page fault: the first touch of a page, which costs every policy the same, or an access to a hidden
  /// page, which is visible from here on.
  virtual void fault(Record record, double seconds, bool first_touch);
  /// Time has passed, `interval` seconds since the last call. The OS's model: two threads change places now
  /// and then, or one goes to a free hardware thread.
  virtual void advance(double seconds, double interval);

  const PolicyCounts& counts() const { return counts_; }

 protected:
  int node_of(int thread) const;
  void swap_now_and_then(double interval);
  void move_page(std::uint64_t page, int to, int payer);
  void move_thread(int thread, int leaf);
  /// Hides the next pages, in the order of their numbers, round and round.
  void hide(double pages);

  World world_;
  PolicyCounts counts_;

 private:
  double to_hide_ = 0;
  std::uint64_t next_to_hide_ = 0;
};

struct PolicyEntry {
  const char* name;
  const char* summary;
  bool deterministic;  ///< every run is the same
  std::unique_ptr<Policy> (*make)(const Policy::World& world);
};

/// Every policy; the first is the OS, to which the others are compared.
const std::vector<PolicyEntry>& policies();

}  // namespace gable::kmaf
