#pragma once

// Binds threads to hardware threads, reads back where they may run, and keeps account of it. Threads that the
// program has bound itself are left where it wants them.

#include <sys/types.h>

#include <cstdint>
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
  /// `allowed`: what the program may use, which its threads have unless they or their maker were bound.
  Binder(Kernel& kernel, Journal& journal, std::vector<unsigned> allowed);

  /// Binds a thread. False where it was not: see moves() and waits().
  bool bind(pid_t pid, pid_t tid, unsigned pu);

  /// The process starts others and has but one thread: a shell, make, mpirun. What it starts would inherit
  /// its binding and be told of one hardware thread, so it is not bound, unless it is seen working for
  /// longer.
  bool waits(pid_t pid) const;
  /// The process accessed memory at `seconds`.
  void accessed(pid_t pid, double seconds);

  /// A thread has begun. What it inherited from a bound maker is taken off, so that it may run anywhere.
  void started(const Event& event);
  void ended(const Event& event);
  /// The thread may run anywhere again, if it is where it was bound: another mask is the program's own.
  void release(pid_t tid);

  /// Where the thread is bound to, if it is.
  std::optional<unsigned> bound_to(pid_t tid) const;

  const Moves& moves() const { return moves_; }

 private:
  struct Given {
    std::optional<unsigned> now;
    std::optional<unsigned> before;  // what it inherited, or what a thread that it made a moment ago may have
    bool has(unsigned pu) const { return now == pu || before == pu; }
  };
  struct Process {
    bool launches = false;
    std::optional<double> works_since;  // the first access since it has last started a process
    bool works = false;
    int more_threads = 0;  // than its first
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

}  // namespace gable::kmaf::live
