#pragma once

// Pinned threads, one per CPU, that are kept for the whole run.

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace gable::bench {

class Team {
 public:
  Team();
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Runs job(i) on cpus[i] for all i at the same time and waits for all of them. CPUs must differ. Throws
  /// Error::unavailable before any job starts; rethrows exceptions from jobs.
  void run(const std::vector<unsigned>& cpus, const std::function<void(std::size_t)>& job);

 private:
  struct Worker;
  Worker& worker(unsigned cpu);

  std::map<unsigned, std::unique_ptr<Worker>> workers_;
};

}  // namespace gable::bench
