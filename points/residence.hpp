#pragma once

// Observes where the pages of a running program lie, and where its threads run.

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "model/records/mapped_range.hpp"
#include "points/activity.hpp"
#include "points/processes.hpp"
#include "points/resident_bytes.hpp"
#include "points/sight.hpp"
#include "points/workers.hpp"

namespace gable::points {

/// Where the threads of a process ran.
struct ProcessPlaces {
  std::vector<std::string> command;              ///< argv, never empty
  std::vector<std::map<unsigned, int>> threads;  ///< observations by hardware thread, in order of their start
};

struct Residence {
  /// The largest size that was seen, by the mean shares of the nodes over the time in which the program held
  /// at least four fifths of it, which excludes its start and initialization. How often a page is used is
  /// unknown.
  std::map<int, std::uint64_t> node_bytes;
  std::string too_little_seen;  ///< if not empty, `node_bytes` is: how little of the pages was seen, in words
  /// The share of the data of the largest process, when it was largest; nothing if the kernel does not tell.
  std::optional<double> huge_pages_percent;
  /// Its address space when it held nearly the most, at the last such look; empty with `node_bytes`, or if
  /// the program had several processes.
  std::vector<model::MappedRange> ranges;
  int threads = 0;  ///< that worked at once, over all processes (points/workers.hpp); 0: looks do not tell
  int cores = 0;    ///< on which these threads could run at once; 0: not known
  int samples = 0;
  double cost = 0;                       ///< CPU time of the observation, as a share of the time
  std::vector<ProcessPlaces> processes;  ///< in order of their start, as far as they were observed
  ActiveShares active;                   ///< of the clusters, if it was wanted
};

/// Watches all descendants of this process from construction to `stop`, but for `gable kmaf run` itself.
/// Observation costs at most a tenth of the time, and about a hundredth of a run that is long compared with
/// one look. Reading a process's pages delays its page faults, whichever CPU reads them, so the program
/// should be timed in other runs.
class ResidenceWatch {
 public:
  /// `cpus`: where the observation runs; empty: on the caller's CPUs. `clusters`: those of the machine.
  /// `activity`: whether that of the clusters is wanted; threads are then observed more often than pages.
  explicit ResidenceWatch(const std::vector<unsigned>& cpus = {},
                          const std::vector<machines::Cluster>& clusters = {}, bool activity = false);
  ~ResidenceWatch();
  ResidenceWatch(const ResidenceWatch&) = delete;
  ResidenceWatch& operator=(const ResidenceWatch&) = delete;

  /// `ending`: of the program that ran meanwhile.
  Residence stop(const Ending& ending);

 private:
  void watch();
  void look();
  void look_at_threads();
  void see_command(const ProgramProcess& process);
  std::map<int, std::uint64_t> node_bytes(double end) const;
  double longest_gap(double end) const;
  void see_size(const ResidentBytes& process, const std::string& folder);
  void see_ranges(int pid, const std::string& numa_maps, const std::string& maps);

  struct Look {
    double at = 0;  ///< monotonic_seconds()
    std::map<int, std::uint64_t> node_bytes;

    std::uint64_t bytes() const;
  };

  struct Seen {
    std::vector<std::string> command;
    std::map<int, std::map<unsigned, int>> threads;  ///< by tid, which ascend in order of their start
  };

  std::atomic<bool> stopping_ = false;
  std::vector<Look> looks_;           ///< those with a result
  std::map<int, Seen> seen_;          ///< by pid
  std::vector<int> running_;          ///< pids at the last look at all processes
  std::optional<Activity> activity_;  ///< none: not wanted, or memory was missing for it
  double next_threads_ = 0;           ///< when to look at the threads again, by monotonic_seconds()
  Workers workers_;
  Sight sight_;
  std::optional<double> huge_pages_percent_;
  std::vector<model::MappedRange> ranges_;
  double looking_seconds_ = 0;
  const double start_;
  std::thread thread_;
};

}  // namespace gable::points
