#pragma once

// Binds threads to hardware threads, reads their masks back, and counts successes and failures. Threads that
// the program has bound itself are left alone.

#include <sys/types.h>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kmaf/live/guardian/journal.hpp"
#include "kmaf/live/movers/kernel.hpp"
#include "kmaf/live/movers/page_mover.hpp"
#include "kmaf/live/samplers/event.hpp"

namespace gable::kmaf::live {

class Binder {
 public:
  /// `allowed`: the program's mask, which its threads have unless they or their parent were bound.
  Binder(Kernel& kernel, Journal& journal, std::vector<unsigned> allowed);

  /// Binds a thread. False on failure: see moves() and waits().
  bool bind(pid_t pid, pid_t tid, unsigned pu);

  /// The process starts others and has only one thread: a shell, make, mpirun. Its children would inherit
  /// its binding and see one hardware thread, so it is not bound unless it keeps accessing memory for
  /// some time.
  bool waits(pid_t pid) const;
  /// The process accessed memory at `seconds`.
  void accessed(pid_t pid, double seconds);

  /// A thread has started. A mask inherited from a bound parent is removed, so that it may run anywhere.
  void started(const Event& event);
  void ended(const Event& event);
  /// Unbinds the thread if it still has the mask it was given: another mask is the program's own.
  void release(pid_t tid);

  /// The hardware thread to which the thread is bound, if any.
  std::optional<unsigned> bound_to(pid_t tid) const;

  const Moves& moves() const { return moves_; }

 private:
  struct Given {
    std::optional<unsigned> now;
    std::optional<unsigned> before;  // what it inherited, or what a thread that it just created may have
    bool has(unsigned pu) const { return now == pu || before == pu; }
  };
  struct Process {
    bool launches = false;
    std::optional<double> works_since;  // the first access since it last started a process
    bool works = false;
    int more_threads = 0;  // besides its first
    bool in_journal = false;
  };
  void launched_by(const Event& event);
  bool is_its_own(const std::vector<unsigned>& mask, pid_t tid) const;

  Kernel& kernel_;
  Journal& journal_;
  std::vector<unsigned> allowed_;
  std::unordered_map<pid_t, Given> given_;  // by tid
  std::unordered_map<pid_t, Process> processes_;
  Moves moves_;
};

// Processes that have only their first thread. It is bound when another thread starts, or after a tenth of a
// second: a run-time system queries the number of hardware threads when it starts, and a bound thread
// would see one.

class FirstThreads {
 public:
  /// The process starts, or executes another program, at `seconds` as in Event.
  void begin(pid_t process, double seconds) { since_[process] = seconds; }
  /// Another thread starts there, or the process ends: true for the first such event.
  bool take(pid_t process) { return since_.erase(process) > 0; }
  bool contains(pid_t process) const { return since_.contains(process); }

  /// Processes that have had one thread for long enough; each is returned once.
  std::vector<pid_t> settled(double now) {
    constexpr double patience = 0.1;  // seconds
    std::vector<pid_t> settled;
    for (const auto& [process, since] : since_) {
      if (now - since >= patience) settled.push_back(process);
    }
    for (const pid_t process : settled) since_.erase(process);
    return settled;
  }

 private:
  std::map<pid_t, double> since_;
};

}  // namespace gable::kmaf::live
