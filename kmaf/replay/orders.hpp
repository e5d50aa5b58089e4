#pragma once

// The trace of a program in the orders of several runs: accesses that no wait or lock orders are in a random
// order in each run.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

#include "kmaf/replay/replay.hpp"
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

}  // namespace gable::kmaf
