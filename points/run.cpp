#include "points/run.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "base/reading.hpp"
#include "points/counters/counts.hpp"
#include "points/start.hpp"

namespace gable::points {

namespace {

namespace fs = std::filesystem;

constexpr int not_found = 127;  // as in POSIX shells

bool is_runnable(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

[[noreturn]] void refuse(const std::string& name) {
  std::error_code ignored;
  if (!fs::exists(name, ignored)) throw Error::program(name + ": no such program", not_found);
  const char* const why =
      fs::is_directory(name, ignored) ? "a folder" : "not executable (chmod +x makes it so)";
  throw Error::program(fmt::format("{}: this is {}", name, why), cannot_run);
}

std::atomic<pid_t> running_program = 0;
std::atomic<int> early_signal = 0;  // received before the program's pid was known

// Forwards signals that would end Gable to the program, and cleans up when the program has ended. Ctrl-C and
// Ctrl-\ at a terminal reach the program from the kernel.
void pass_on(int signal, siginfo_t* told, void*) {
  if ((signal == SIGINT || signal == SIGQUIT) && told->si_code > 0) return;
  const int before = errno;
  if (const pid_t pid = running_program; pid > 0) {
    kill(pid, signal);
  } else {
    early_signal = signal;
  }
  errno = before;
}

// Termination signals are forwarded to the program.
class PassedSignals {
 public:
  PassedSignals() {
    struct sigaction passed = {}, usual = {};
    passed.sa_sigaction = pass_on;
    passed.sa_flags = SA_SIGINFO;
    for (const auto& [number, was] : {std::pair(SIGTERM, &terminate_), std::pair(SIGHUP, &hang_up_),
                                      std::pair(SIGINT, &interrupt_), std::pair(SIGQUIT, &quit_)}) {
      sigaction(number, &passed, was);
      if (was->sa_handler == SIG_IGN) sigaction(number, was, nullptr);  // nohup
    }
    // If the parent ignores SIGCHLD, so does this process, and the program's exit status would be lost.
    usual.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &usual, &child_);
  }
  ~PassedSignals() {
    sigaction(SIGTERM, &terminate_, nullptr);
    sigaction(SIGHUP, &hang_up_, nullptr);
    sigaction(SIGCHLD, &child_, nullptr);
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGQUIT, &quit_, nullptr);
  }
  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;

 private:
  struct sigaction interrupt_ = {}, quit_ = {}, child_ = {}, terminate_ = {}, hang_up_ = {};
};

std::string name_of(const std::string& variable) {
  return variable.substr(0, variable.find('='));
}

std::vector<std::string> merged_environment(const std::vector<std::string>& own) {
  std::vector<std::string> all = own;
  for (char** inherited = environ; *inherited; ++inherited) {
    const auto replaces = [&](const std::string& variable) {
      return name_of(variable) == name_of(*inherited);
    };
    if (std::none_of(own.begin(), own.end(), replaces)) all.emplace_back(*inherited);
  }
  return all;
}

Usage usage_of(const rusage& used) {
  return {timeval_seconds(used.ru_utime), timeval_seconds(used.ru_stime),
          static_cast<double>(used.ru_minflt + used.ru_majflt)};
}

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  user_seconds += other.user_seconds;
  kernel_seconds += other.kernel_seconds;
  page_faults += other.page_faults;
  return *this;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (!is_runnable(name)) refuse(name);
    return name;
  }
  const char* const path = getenv("PATH");
  TextStream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (is_runnable(file)) return file;
  }
  const std::string hint = is_runnable("./" + name) ? fmt::format("; ./{} is the one here", name) : "";
  throw Error::program(fmt::format("{}: no folder in PATH has this program{}", name, hint), not_found);
}

std::string privileges_of(const std::string& file) {
  struct stat seen = {};
  if (stat(file.c_str(), &seen) == 0 && (seen.st_mode & (S_ISUID | S_ISGID)) != 0)
    return "is setuid or setgid";
  return getxattr(file.c_str(), "security.capability", nullptr, 0) > 0 ? "has file capabilities" : "";
}

Ending run(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  if (command.empty()) throw Error::program("no program was given", not_found);
  const std::string file = find_program(command.front());
  const PassedSignals passed;
  const Started started = start(file, command, merged_environment(environment));
  Ending ending;
  ending.pid = started.pid;
  running_program = ending.pid;
  if (const int signal = early_signal.exchange(0); signal != 0) kill(ending.pid, signal);
  int status = 0;
  rusage used = {};
  while (wait4(ending.pid, &status, 0, &used) < 0) {
    if (errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "waiting for " + command.front());
  }
  running_program = 0;
  ending.seconds = monotonic_seconds() - started.at;
  ending.usage = usage_of(used);
  ending.peak.bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  ending.peak.copy_bytes = started.copy_bytes;
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  ending.status = ending.signal ? 128 + ending.signal : WEXITSTATUS(status);
  return ending;
}

std::string in_words(const Ending& ending) {
  if (!ending.signal) return fmt::format("ended with exit status {}", ending.status);
  return fmt::format("was killed by signal {} ({})", ending.signal, strsignal(ending.signal));
}

void require_success(const std::string& program, const Ending& ending) {
  if (ending.status == 0) return;
  throw Error::program(
      fmt::format("{} {}: its counts do not cover a complete run", program, in_words(ending)), ending.status);
}

}  // namespace gable::points
