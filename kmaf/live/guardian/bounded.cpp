#include "kmaf/live/guardian/bounded.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>

#include "base/clocks.hpp"
#include "base/lists.hpp"
#include "base/owned.hpp"

namespace gable::kmaf::live {

namespace {

// Closes everything that another process may wait for, in case this child cannot be killed.
[[noreturn]] void do_work(const std::function<void(int)>& work, int words) {
  keep_only({words});
  try {
    work(words);
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

// Whether the other end was closed before the deadline.
bool read_until(double deadline, int words, std::string& text) {
  for (;;) {
    const double left = deadline - monotonic_seconds();
    pollfd news{words, POLLIN, 0};
    const int came = poll(&news, 1, std::max(0, static_cast<int>(1000 * left)));
    if (came < 0 && errno == EINTR) continue;
    if (came <= 0) return false;
    char buffer[4096];
    const ssize_t got = read(words, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

void detach(const char* name) {
  setsid();
  prctl(PR_SET_NAME, name);
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2})
    signal(number, SIG_IGN);
}

void keep_only(std::initializer_list<int> descriptors) {
  const int low = open("/dev/null", O_RDWR);
  for (int fd = 0; fd <= 2; ++fd) {
    if (low >= 0) dup2(low, fd);
  }
  const long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); ++fd) {
    if (!is_among(descriptors, fd)) close(fd);
  }
}

Said said_within(double seconds, const std::function<void(int)>& work) {
  Said said;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return said;
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t child = fork();
  if (child == 0) do_work(work, writing.get());
  { const Descriptor closed(std::move(writing)); }
  if (child < 0) return said;
  const bool ended = read_until(monotonic_seconds() + seconds, reading.get(), said.text);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  pid_t waited = 0;
  // The child may be stuck in the kernel, so this does not wait for it.
  constexpr int tries = 100;
  for (int i = 0; i < tries && waited == 0; ++i) {
    waited = waitpid(child, &status, ended ? 0 : WNOHANG);
    if (waited < 0 && errno == EINTR) waited = 0;
    if (waited == 0) usleep(1000);
  }
  said.finished = ended && waited == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return said;
}

}  // namespace gable::kmaf::live
