#include "points/start.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <limits>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "points/counters/counts.hpp"

namespace gable::points {

namespace {

// What the copy of this process tells: one before it becomes the program, another only if that failed.
struct Told {
  double at = 0;
  // If it cannot tell, no peak is taken as the program's own.
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  int error = 0;
};

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> all;
  all.reserve(strings.size() + 1);
  for (std::string& string : strings) all.push_back(string.data());
  all.push_back(nullptr);
  return all;
}

// In the copy, which has only the calling thread: nothing here may allocate or lock.
[[noreturn]] void become(const char* file, char* const* arguments, char* const* environment,
                         const sigset_t& mask, int pipe) {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction was = {};
    if (sigaction(number, nullptr, &was) != 0 || was.sa_handler == SIG_IGN || was.sa_handler == SIG_DFL)
      continue;
    was = {};
    sigaction(number, &was, nullptr);
  }
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  Told told;
  told.bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  told.at = monotonic_seconds();
  [[maybe_unused]] const auto written = ::write(pipe, &told, sizeof told);
  execve(file, arguments, environment);
  told.error = errno;
  const bool heard = ::write(pipe, &told, sizeof told) == sizeof told;
  _exit(heard ? cannot_run : 1);
}

// Whether the pipe held so much.
bool read_told(int pipe, Told& told) {
  ssize_t got = 0;
  while ((got = ::read(pipe, &told, sizeof told)) < 0 && errno == EINTR) {
  }
  return got == sizeof told;
}

}  // namespace

// fork(), because posix_spawn() lends the child this process's memory, whose size would then be the least
// that the kernel records of the program. A fork copies no pages of code and is several times smaller.
Started start(const std::string& file, std::vector<std::string> command,
              std::vector<std::string> environment) {
  const std::vector<char*> arguments = pointers(command), variables = pointers(environment);
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("starting " + file);
  sigset_t all, mask;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);  // this process's handlers must not run in the copy
  Told told;
  told.at = monotonic_seconds();  // if it is killed before it tells
  const pid_t pid = fork();
  if (pid == 0) become(file.c_str(), arguments.data(), variables.data(), mask, ends[1]);
  const int failed = errno;
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  close(ends[1]);
  Told more;
  if (pid > 0 && read_told(ends[0], told) && read_told(ends[0], more)) told = more;
  close(ends[0]);
  if (pid < 0) throw Error::program(fmt::format("{}: {}", file, strerror(failed)), cannot_run);
  if (told.error == 0) return {pid, told.at, told.bytes};
  waitpid(pid, nullptr, 0);
  throw Error::program(fmt::format("{}: {}", file, strerror(told.error)), cannot_run);
}

}  // namespace gable::points
