#pragma once

// All runs of a program under several policies.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include "kmaf/replay/replay.hpp"
#include "kmaf/replay/result.hpp"
#include "kmaf/replay/trace/parallel_order.hpp"

namespace gable::kmaf {

class ProgramOrders {
 public:
  /// The accesses and events of the program, and PreparedTrace's `iterations`. In run 0 the program takes
  /// `options.program_seconds` on the machine under an OS that never moves threads. Throws
  /// Error::usage if there is no access, and as PreparedTrace.
  ProgramOrders(ParallelOrder order, int iterations, const SimulatedMachine& machine,
                const ReplayOptions& options);

  /// A trace without events of synchronization has the same order in all runs.
  bool differ() const { return order_.has_events(); }
  /// The trace of run 0, for what is the same in all runs.
  const PreparedTrace& first() const { return first_; }
  double first_scale() const { return scale_; }

  /// The trace of a run, in its order, until drop(). The program does the same work in each. Several threads
  /// may ask at the same time. Throws as the constructor.
  ScaledTrace of_run(std::uint64_t run);
  /// Frees the memory of a run that nobody uses any more.
  void drop(std::uint64_t run);
  /// No result has this run: it is for what is known of a program before it runs.
  static constexpr std::uint64_t earlier_run = std::numeric_limits<std::uint64_t>::max();

 private:
  ParallelOrder order_;
  int iterations_;
  std::function<void()> watch_;
  PreparedTrace first_;
  double scale_;
  std::mutex guard_;  // of order_ and others_
  std::map<std::uint64_t, PreparedTrace> others_;
};

/// Calls `task` with each number below `tasks`, from this thread and jobs - 1 others. After an exception no
/// further tasks begin, and it is passed on.
void do_all(std::size_t tasks, int jobs, const std::function<void(std::size_t)>& task);

/// The outcomes of `runs` runs under each of the policies, `jobs` at a time. Run i has seed i + 1, and the
/// i-th of the orders, under every policy. `options.mapping` is the oracle's, if it is among them.
std::vector<ReplayResult::OfPolicy> run_policies(ProgramOrders& orders, const SimulatedMachine& machine,
                                                 const std::vector<const PolicyEntry*>& policies, int runs,
                                                 int jobs, const ReplayOptions& options);

}  // namespace gable::kmaf
