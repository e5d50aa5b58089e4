#pragma once

// What all benchmarks of gable-mpi share: the processes, where they run, and clean repetitions.

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace gable::mpi {

/// Where a process ran, read back from the system.
struct Place {
  std::string node;
  int cpu = -1;  ///< on which it was seen last
  int cpus = 0;  ///< that it may run on
};

struct World {
  int rank = 0, size = 1;
  std::vector<Place> places;          ///< of every process, the same everywhere
  std::vector<double> offsets;        ///< seconds of each process's clock ahead of rank 0's
  std::vector<double> offset_errors;  ///< half the round trip in which the offset was measured

  int nodes(int ranks) const;  ///< different ones among the first `ranks`
  bool same_node(int a, int b) const {
    return places[static_cast<std::size_t>(a)].node == places[static_cast<std::size_t>(b)].node;
  }
  /// Whether a node has more processes than CPUs: they wait for each other's turn.
  bool crowded(int ranks) const;
};

/// Collective. Reads the places of all processes.
void read_places(World& world);
/// Collective. Clock offsets from the fastest of many round trips with rank 0 (Cristian 1989).
void measure_offsets(World& world);

/// Seconds and the involuntary context switches of this process.
double now();
long switches();

/// Repetitions of `work` by the processes of `group`, each between barriers; the seconds of the slowest
/// process. A repetition in which any process was descheduled is dropped, as are repetitions on another CPU
/// than the first.
struct Repetitions {
  std::vector<double> seconds;  ///< the same on every process of the group
  int disturbed = 0;
};
Repetitions repeat(MPI_Comm group, int count, double most, const std::function<void()>& work);

}  // namespace gable::mpi
