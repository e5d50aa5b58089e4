#include "points/processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/clocks.hpp"
#include "base/files.hpp"
#include "base/lists.hpp"
#include "base/reading.hpp"
#include "machines/files.hpp"

namespace gable::points {

namespace {

using machines::raw_text;
using machines::stat_field;

// The descendants of `pid`.
void descendants(int pid, std::vector<int>& found) {
  for (const int child : children_of(pid)) {
    if (is_among(found, child)) continue;
    found.push_back(child);
    descendants(child, found);
  }
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Whether a child process has not yet executed its program. Until then its memory is this process's, or a
// copy of it.
bool is_still_starting(int pid) {
  constexpr unsigned long forked_no_exec = 0x40;  // the kernel's PF_FORKNOEXEC
  const std::string stat = raw_text(fmt::format("/proc/{}/stat", pid));
  constexpr int parent = 4, flags = 9;  // fields of proc_pid_stat(5)
  if (stat_field(stat, parent) != static_cast<std::uint64_t>(getpid())) return false;
  if ((stat_field(stat, flags).value_or(0) & forked_no_exec) == 0) return false;
  // Excludes processes forked by others and reparented to this one.
  return first_line(raw_text(fmt::format("/proc/{}/maps", pid))) == first_line(raw_text("/proc/self/maps"));
}

// Whether a process is `gable kmaf run`, which manages the program; in a bundle the loader comes first. A
// child that has not yet executed the program counts as it, too.
bool is_manager(const std::vector<std::string>& command) {
  for (std::size_t i = 0; i + 2 < command.size() && command[i] != "--"; ++i) {
    if (std::filesystem::path(command[i]).filename() == "gable" && command[i + 1] == "kmaf" &&
        command[i + 2] == "run")
      return true;
  }
  return false;
}

}  // namespace

std::vector<ProgramProcess> program_processes() {
  std::vector<int> pids;
  descendants(getpid(), pids);
  std::vector<ProgramProcess> processes;
  for (const int pid : pids) {
    if (is_still_starting(pid)) continue;
    std::vector<std::string> command = command_of(pid);
    const bool manages = is_manager(command);
    processes.push_back({pid, std::move(command), manages});
  }
  return processes;
}

std::vector<int> children_of(int pid) {
  std::vector<int> children;
  for (const int task : threads_of(pid)) {
    TextStream of_thread(raw_text(fmt::format("/proc/{}/task/{}/children", pid, task)));
    for (int child = 0; of_thread >> child;) children.push_back(child);
  }
  return children;
}

std::vector<std::string> command_of(int pid) {
  TextStream text(raw_text(fmt::format("/proc/{}/cmdline", pid)));
  std::vector<std::string> words;
  for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
  return words;
}

std::vector<int> threads_of(int pid) {
  return numbers_in(fmt::format("/proc/{}/task", pid));
}

std::optional<ThreadTimes> thread_times(int pid, int tid) {
  constexpr int user = 14, kernel = 15, processor = 39;  // fields of proc_pid_stat(5)
  const std::string folder = fmt::format("/proc/{}/task/{}/", pid, tid);
  const std::string stat = raw_text(folder + "stat");
  const auto cpu = stat_field(stat, processor);
  if (!cpu) return std::nullopt;
  ThreadTimes times = {tid, static_cast<unsigned>(*cpu), 0, 0, monotonic_seconds()};
  TextStream schedstat(raw_text(folder + "schedstat"));
  std::uint64_t running = 0, waiting = 0;  // ns
  if (schedstat >> running >> waiting) {
    times.running = 1e-9 * static_cast<double>(running);
    times.waiting = 1e-9 * static_cast<double>(waiting);
  } else {
    const std::uint64_t ticks = stat_field(stat, user).value_or(0) + stat_field(stat, kernel).value_or(0);
    times.running = static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return times;
}

}  // namespace gable::points
