#pragma once

// These tell for which part of a program's time each cluster was at work, from its threads' CPU times.

#include <map>
#include <string>
#include <vector>

#include "machines/machine.hpp"
#include "points/processes.hpp"

namespace gable::points {

/// The part of a program's time, 0 to 1, without that in which threads of other clusters were at work and
/// none of this cluster. A time in which the whole program waits belongs to every cluster.
struct ActiveShare {
  double value = 1;
  /// Bounds, but for a tick of the kernel (at most 10 ms) whenever a thread begins to work. They differ if
  /// clusters were at work for a part of the time between two looks: together, or one after the other?
  double lo = 1, hi = 1;
};

struct ActiveShares {
  std::map<int, ActiveShare> by_cluster;              ///< of every cluster of the machine; empty: not known
  std::string reason = "they could not be observed";  ///< why they are not known
};

/// A thread is at work while it runs or waits for a CPU; one that spins is, too. Its work since the last look
/// counts for the cluster where it is now.
class Activity {
 public:
  /// `begin` (monotonic_seconds()): before the program starts.
  Activity(const std::vector<machines::Cluster>& clusters, double begin);

  /// All threads of the program at `now` (monotonic_seconds()); looks ascend in time.
  void look(const std::vector<ThreadTimes>& threads, double now);

  /// The program ended between the last look and `end`; what its threads did meanwhile is not known.
  ActiveShares shares(double end) const;

 private:
  struct Known {
    ThreadTimes times;
    double spare = 0;  ///< seconds of work that the kernel told too late for the look that they belong to
  };
  /// Part of the time between two looks in which a cluster's threads were at work: at least that of its
  /// busiest thread, at most that of all together.
  struct Busy {
    double least = 0, most = 0;
  };
  /// Seconds in which only other clusters were at work.
  struct Lost {
    double least = 0, most = 0;
  };

  int cluster_of(unsigned cpu) const;
  double work_since(const ThreadTimes& thread, Known& known);
  void lose(double seconds, const std::map<int, Busy>& busy);

  std::map<unsigned, int> clusters_;  ///< by CPU
  std::map<int, Lost> lost_;          ///< by cluster
  std::map<int, Known> threads_;      ///< by tid, at the last look
  double last_, seconds_ = 0;         ///< time of the last look; time in which there were threads
  double ran_ = 0, late_ = 0;         ///< CPU seconds of all threads; those told far too late
};

}  // namespace gable::points
