// Follows the threads and processes of a program without sampling accesses.

#include <unistd.h>

#include <map>
#include <set>

#include "base/clocks.hpp"
#include "kmaf/live/program/processes.hpp"
#include "kmaf/live/samplers/perf_events.hpp"

namespace gable::kmaf::live {

namespace {

class PerfFollower : public PerfSampler {
 public:
  void attach(pid_t program) override { events_.emplace(PerfEvents::What::tasks, program); }
};

// Threads that live shorter than the interval between two scans of /proc are not seen. The creator of a
// thread is not known.
class ProcFollower : public Sampler {
 public:
  void attach(pid_t program) override {
    program_ = program;
    known_[program] = program;
    pids_ = {program};
  }

  Events read() override {
    const double now = monotonic_seconds();
    if (now < next_look_) return {};
    std::map<pid_t, pid_t> present;  // process of each thread
    for (const pid_t pid : ProcessTree().with_descendants(program_)) {
      for (const pid_t tid : threads_of(pid)) present[tid] = pid;
    }
    Events events;
    for (const auto& [tid, pid] : known_) {
      if (!present.contains(tid)) events.push_back({Event::Kind::ended, pid, tid, 0, 0, 0, 0, now});
    }
    for (const auto& [tid, pid] : present) {
      if (!known_.contains(tid)) events.push_back({Event::Kind::started, pid, tid, 0, 0, 0, 0, now});
    }
    known_ = std::move(present);
    pids_.clear();
    for (const auto& [tid, pid] : known_) pids_.insert(pid);
    next_look_ = now + rest * (monotonic_seconds() - now);
    return events;
  }

  // The CPU time of all processes of the last scan and of those that they have waited for.
  std::optional<double> cpu_seconds() override {
    constexpr int first = 14, last = 17;  // utime, stime, cutime, cstime of /proc/PID/stat
    unsigned long long ticks = 0;
    for (const pid_t pid : pids_) {
      for (int place = first; place <= last; ++place) ticks += number_in_stat(pid, place);
    }
    return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

 private:
  static constexpr double rest = 50;  // scanning many processes is slow: at most 2 % of the time
  pid_t program_ = 0;
  double next_look_ = 0;
  std::map<pid_t, pid_t> known_;
  std::set<pid_t> pids_;
};

}  // namespace

std::unique_ptr<Sampler> make_follower() {
  if (PerfEvents::refusal(PerfEvents::What::tasks) == 0) return std::make_unique<PerfFollower>();
  return std::make_unique<ProcFollower>();
}

}  // namespace gable::kmaf::live
