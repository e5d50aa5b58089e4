#pragma once

// Observes where the pages of a running program lie, and where its threads run.

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "points/activity.hpp"
#include "points/processes.hpp"

namespace gable::points {

/// Resident bytes of one process by memory node, from /proc/PID/numa_maps and /proc/PID/maps: its own data,
/// shared memory, and files that it maps as data. Files that are partly mapped as code (the program, its
/// libraries) are not counted, because all processes share them.
std::map<int, std::uint64_t> resident_bytes(const std::string& numa_maps, const std::string& maps);

/// Where the threads of a process ran.
struct ProcessPlaces {
  std::vector<std::string> command;              ///< argv, never empty
  std::vector<std::map<unsigned, int>> threads;  ///< observations by hardware thread, in order of their start
};

struct Residence {
  /// Mean over the time in which the program held at least four fifths of the observed maximum, which
  /// excludes its start and initialization. How often a page is used is unknown.
  std::map<int, std::uint64_t> node_bytes;
  int threads = 0;  ///< the observed maximum over all processes
  int samples = 0;
  std::vector<ProcessPlaces> processes;  ///< in order of their start, as far as they were observed
  ActiveShares active;                   ///< of the clusters that the watch was given
};

/// Watches all descendants of this process from construction to `stop`, but for `gable kmaf run` itself.
/// Observation costs at most a hundredth of the time, and a tenth for the first ten observations: the pauses
/// grow with the duration of an observation, but are never longer than the program has run. Reading a
/// process's pages delays its page faults, whichever CPU reads them, so the program should be timed in other
/// runs.
class ResidenceWatch {
 public:
  /// `cpus`: where the observation runs; empty: on the caller's CPUs. `clusters`: those whose activity is
  /// wanted; threads are then observed more often than pages.
  explicit ResidenceWatch(const std::vector<unsigned>& cpus = {},
                          const std::vector<machines::Cluster>& clusters = {});
  ~ResidenceWatch();
  ResidenceWatch(const ResidenceWatch&) = delete;
  ResidenceWatch& operator=(const ResidenceWatch&) = delete;

  Residence stop();

 private:
  void watch();
  void look();
  void look_at_threads();
  void see_command(const ProgramProcess& process);

  struct Look {
    std::map<int, std::uint64_t> node_bytes;
    double seconds = 0;  ///< until the next observation

    std::uint64_t bytes() const;
  };

  struct Seen {
    std::vector<std::string> command;
    std::map<int, std::map<unsigned, int>> threads;  ///< by tid, which ascend in order of their start
  };

  std::atomic<bool> stopping_ = false;
  std::vector<Look> looks_;   ///< those with a result
  std::map<int, Seen> seen_;  ///< by pid
  std::vector<int> running_;  ///< pids at the last look at all processes
  int threads_ = 0;
  std::optional<Activity> activity_;  ///< none: not wanted, or memory was missing for it
  double next_threads_ = 0;           ///< when to look at the threads again, by monotonic_seconds()
  std::thread thread_;
};

}  // namespace gable::points
