#pragma once

// Serves the write faults of a program and all it starts, in a process of its own: it protects pages now and
// then, tells who wrote one, and lets him go on at once. It alone has the descriptors by which pages are
// protected; with its end nothing is.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kmaf/live/watched_process.hpp"

namespace gable::kmaf::live {

/// What it tells the manager, through a pipe.
struct Told {
  enum class What : std::uint32_t {
    written,    ///< `tid` of `pid` on `pu` wrote at `address`
    joined,     ///< `number` processes are or were watched
    refused,    ///< `number` have no userfaultfd: `address` is the errno of the last
    strangers,  ///< `number` are another user's, or have process numbers of their own
    left,       ///< `number` were left alone from some moment on
    unheard,    ///< `number` connections that said nothing in time, or for which there was no descriptor
    lost,       ///< `number` writes that the pipe had no room for
    looked,  ///< `seconds` of CPU time so far that went into looking at processes, however much is protected
    hidden,  ///< `number` units protected so far, and `seconds` of CPU time, their release without a write
             ///< too
    spent    ///< `seconds` of CPU time in all
  };
  What what = What::written;
  std::uint32_t pu = 0;
  pid_t pid = 0, tid = 0;
  std::uint64_t address = 0;  ///< or an errno
  std::uint64_t number = 0;
  double seconds = 0;  ///< when it was `written`, as in Event
};

/// What the manager asks for.
struct Asked {
  double per_second = 0;  ///< units that are protected
  std::uint64_t unit_bytes = 4096;
};

class WriteWatch {
 public:
  /// `listening`: the socket that programs connect to. `asked`: the socket that Asked comes from, and whose
  /// end ends this. `told`: the pipe that Told goes to. The first and the last are non-blocking.
  WriteWatch(int listening, int asked, int told);
  /// Until there is nobody who asks. Then everybody goes on, and what there was is told.
  void run();

 private:
  using Shared = std::shared_ptr<WatchedProcess>;

  int tick_ms() const;
  bool hear(double now);
  void welcome();
  void join(pid_t pid, Descriptor userfault, const Descriptor& memory);
  void heed(int connection);
  void drop(std::uint64_t id);
  std::size_t drop_process(pid_t pid);
  void look(double now);
  void protect_some(double now);
  void serve();
  void serve(WatchedProcess& one);
  void tell(const Told& told);
  void tell_costs();
  void tell_tallies();

  int listening_, asked_, told_;
  Descriptor ready_;  // epoll(7) of the userfaultfds and of
  Descriptor ends_;   // which becomes readable when there are no more
  Asked wanted_;
  double credit_ = 0, credited_ = 0;  // units that may be protected
  double may_look_ = 0;               // seconds of looking at all processes together; below 0: not yet
  double looked_ = 0, hiding_ = 0;    // seconds of CPU time
  double told_at_ = 0;
  std::uint64_t hidden_ = 0;         // units
  std::optional<Descriptor> spare_;  // given up for a moment when there is no other
  std::mt19937_64 random_;
  std::mutex lock_;  // this thread alone changes what it guards
  std::map<std::uint64_t, Shared> all_;
  std::uint64_t next_ = 1;  // key of all_; none is used twice
  std::uint64_t joined_ = 0, refused_ = 0, refusal_ = 0, strangers_ = 0, left_ = 0, unheard_ = 0;
  std::atomic<std::uint64_t> lost_ = 0;
};

}  // namespace gable::kmaf::live
