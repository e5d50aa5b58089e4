#pragma once

// Names for the threads of a running program that are the same in its next run, whatever numbers the system
// gives them.

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
  /// `program`: the process that all others come from.
  explicit Names(pid_t program);

  /// Events in order of time. `ended` takes the thread's name away.
  void follow(const Event& event);
  /// Events were lost: who begins from here on cannot be told by the order, and has no name.
  void lose_count() { counts_ = false; }
  bool counts() const { return counts_; }

  struct Task {
    pid_t pid = 0;
    int number = 0;              ///< as in KnownTask
    std::uint64_t instance = 0;  ///< no two threads of a run have the same, nor one before and after an exec
  };
  std::optional<Task> task(pid_t tid) const;
  /// What the process runs; empty where it is not there any more, or was never seen, or has no name.
  std::optional<KnownProgram> program(pid_t pid);
  /// Changes with every exec of the process.
  std::uint64_t instance(pid_t pid) const;

 private:
  struct Process {
    explicit Process(std::string path = {}) : path(std::move(path)) {}
    std::string path;  // "0.2"; empty: it has no name
    int executed = 0, threads = 0, children = 0;
    std::string image;  // empty: not asked for yet
  };
  void begin(pid_t pid, Process process);

  std::unordered_map<pid_t, Process> processes_;
  std::unordered_map<pid_t, Task> tasks_;
  std::uint64_t next_instance_ = 0;
  bool counts_ = true;
};

}  // namespace gable::kmaf::live
