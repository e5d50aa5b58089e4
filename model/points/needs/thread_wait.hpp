#pragma once

// The part of a Point's time in which its threads wait for each other. No roof tells it: samples of its
// instructions and its CPU time do.

#include <optional>
#include <string>
#include <string_view>

#include "model/points/function_time.hpp"
#include "model/records/point.hpp"

namespace gable::model {

/// Shares are of the time of all threads together (or of their cores, if these are fewer): of two threads,
/// one of which waits all the time, a half. If other programs took CPUs, they are of the CPU time.
struct ThreadWait {
  double lo = 0;       ///< in loops that wait
  double hi = 0;       ///< all that may be waiting: such loops, other code of OpenMP's runtime, and `idle`
  TimeShare spinning;  ///< the same loops as a part of the CPU time; all of them in `hi`
  double idle = 0;     ///< threads that did not run; 0 if other programs took CPUs
  std::string where;   ///< the file with most of these loops; empty: there are none
  bool is_crowded = false;  ///< there were fewer CPUs than threads: other programs or the hypervisor had them
};

/// Nothing if the Point has one thread, is simulated, or has neither samples nor CPU time.
std::optional<ThreadWait> thread_wait(const Point& point);

/// Whether the file has the threads of OpenMP, which wait in it.
bool is_openmp_runtime(const std::string& file);

/// Whether waiting may take most of the time that no need explains.
bool may_take_most(const ThreadWait& wait);

/// "waiting for other threads (48 % to 52 %)"
std::string wait_candidate(const ThreadWait& wait);

/// "its threads spend 48 % to 52 % of their CPU time in loops of libgomp.so.1 that wait for other threads,
/// ...".
std::string wait_figures(const ThreadWait& wait);

/// One thing to do.
std::string wait_advice(const ThreadWait& wait);

/// A sentence after a space; empty if they wait little.
std::string wait_remark(const Point& point);

}  // namespace gable::model
