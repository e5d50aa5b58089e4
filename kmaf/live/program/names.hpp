#pragma once

// Names for the threads of a running program that are the same in its next run, independent of the system's
// thread IDs.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/samplers/event.hpp"

namespace gable::kmaf::live {

class Names {
 public:
  /// `program`: the ancestor of all other processes.
  explicit Names(pid_t program);

  /// Takes events in order of time. `ended` removes the thread's name.
  void follow(const Event& event);
  /// Events were lost: later threads cannot be identified by their order and get no name.
  void lose_count() { counts_ = false; }
  bool counts() const { return counts_; }

  struct Task {
    pid_t pid = 0;
    int number = 0;              ///< as in KnownTask
    std::uint64_t instance = 0;  ///< unique in a run; changes with an exec
  };
  std::optional<Task> task(pid_t tid) const;
  /// The program of the process; empty if it has ended, was never seen, or has no name.
  std::optional<KnownProgram> program(pid_t pid);
  /// Changes with every exec of the process.
  std::uint64_t instance(pid_t pid) const;

 private:
  struct Process {
    explicit Process(std::string path = {}) : path(std::move(path)) {}
    std::string path;  // "0.2"; empty: it has no name
    int executed = 0, threads = 0, children = 0;
    std::string image;  // empty: not queried yet
  };
  void begin(pid_t pid, Process process);

  std::unordered_map<pid_t, Process> processes_;
  std::unordered_map<pid_t, Task> tasks_;
  std::uint64_t next_instance_ = 0;
  bool counts_ = true;
};

}  // namespace gable::kmaf::live
