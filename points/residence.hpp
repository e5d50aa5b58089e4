#pragma once

// Where the pages of a running program lie, seen from outside.

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace gable::points {

/// Resident bytes by memory node of one process, from /proc/PID/numa_maps and /proc/PID/maps: its own data,
/// shared memory, and the files that it maps as data. Not counted: files of which any part is mapped as code
/// (the program, its libraries), which every process shares.
std::map<int, std::uint64_t> resident_bytes(const std::string& numa_maps, const std::string& maps);

struct Residence {
  /// Mean over the time in which the program held at least four fifths of the most that was seen: not while
  /// it started and filled its memory. How often a page is used is not known.
  std::map<int, std::uint64_t> node_bytes;
  int threads = 0;  ///< the most that were seen at a time, in all processes
  int samples = 0;
};

/// Watches every process that this one starts, and what those start, from construction to `stop`. Looking
/// costs at most a hundredth of the time, the first ten looks a tenth: the pauses grow with what a look took,
/// and are never longer than the program has run. Reading a process's pages holds up its page faults for that
/// long, wherever it is done: time the program in other runs.
class ResidenceWatch {
 public:
  /// `cpus`: where the looking is done; empty: where the caller runs.
  explicit ResidenceWatch(const std::vector<unsigned>& cpus = {});
  ~ResidenceWatch();
  ResidenceWatch(const ResidenceWatch&) = delete;
  ResidenceWatch& operator=(const ResidenceWatch&) = delete;

  Residence stop();

 private:
  void watch();
  void look();

  struct Look {
    std::map<int, std::uint64_t> node_bytes;
    double seconds = 0;  ///< until the next one

    std::uint64_t bytes() const;
  };

  std::atomic<bool> stopping_ = false;
  std::vector<Look> looks_;  ///< that saw anything
  int threads_ = 0;
  std::thread thread_;
};

}  // namespace gable::points
