#include "points/orphans.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "points/processes.hpp"

namespace gable::points {

namespace {

// CPU time of a process, including threads that have ended.
double cpu_seconds(int pid) {
  clockid_t clock = 0;
  timespec used = {};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// The CPU time of a process and its descendants.
double tree_seconds(int pid) {
  double sum = cpu_seconds(pid);
  for (const int child : children_of(pid)) sum += tree_seconds(child);
  return sum;
}

}  // namespace

std::string named_process(int pid) {
  const std::vector<std::string> command = command_of(pid);
  return command.empty() ? fmt::format("process {}", pid)
                         : fmt::format("process {} ({})", pid, fmt::join(command, " "));
}

std::string how_to_end_with(int pid) {
  const std::vector<std::string> command = command_of(pid);
  const bool is_mpi = std::ranges::any_of(command, [](const std::string& word) {
    return word == "orted" || word == "prted" || word.ends_with("/orted") || word.ends_with("/prted");
  });
  return is_mpi ? "it is the daemon of Open MPI, so start the program with mpirun -np 1"
                : "run the program in the foreground";
}

Orphans::Orphans() {
  for (const int pid : children_of(getpid())) others_.insert(pid);
  prctl(PR_GET_CHILD_SUBREAPER, &was_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Orphans::~Orphans() {
  prctl(PR_SET_CHILD_SUBREAPER, was_);
}

std::vector<int> Orphans::running() {
  std::vector<int> pids;
  for (const int pid : children_of(getpid())) {
    if (others_.contains(pid)) continue;
    rusage used = {};
    const pid_t ended = wait4(pid, nullptr, WNOHANG, &used);
    if (ended == 0) {
      pids.push_back(pid);
      last_[pid] = tree_seconds(pid);
    } else if (ended == pid) {
      last_[pid] = timeval_seconds(used.ru_utime) + timeval_seconds(used.ru_stime);
    }
  }
  return pids;
}

void Orphans::end() {
  // Killing one makes its children orphans.
  for (std::vector<int> pids = running(); !pids.empty(); pids = running()) {
    for (const int pid : pids) kill(pid, SIGKILL);
    for (const int pid : pids) waitpid(pid, nullptr, 0);
  }
}

double Orphans::late_seconds() const {
  double sum = 0;
  for (const auto& [pid, seconds] : last_) {
    const auto before = at_end_.find(pid);
    // One that was not there yet is a child of another, whose CPU time contained its own.
    if (before != at_end_.end()) sum += std::max(0.0, seconds - before->second);
  }
  return sum;
}

void Orphans::require_ended(const std::string& program, const Ending& ending) {
  using namespace std::chrono_literals;
  constexpr double patience = 1, tolerated = 0.02;
  std::vector<int> pids = running();
  at_end_ = last_;
  if (pids.empty()) return;
  const std::string first = named_process(pids.front());
  const std::string advice =
      ", and its work then is not in the time of the program: " + how_to_end_with(pids.front());
  double before = ending.usage.user_seconds + ending.usage.kernel_seconds;
  for (const auto& [pid, seconds] : at_end_) before += seconds;
  const double deadline = monotonic_seconds() + patience;
  while (!pids.empty() && monotonic_seconds() < deadline) {
    std::this_thread::sleep_for(5ms);
    pids = running();
  }
  if (!pids.empty())
    throw Error::failed(fmt::format("{} is still running after the end of {}{}", named_process(pids.front()),
                                    program, advice));
  if (late_seconds() > tolerated * before)
    throw Error::failed(fmt::format("{} worked on after the end of {}{}", first, program, advice));
}

}  // namespace gable::points
