#include "cli/point/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>
#include <vector>

#include "base/files.hpp"

namespace gable::cli {

namespace {

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

}  // namespace

RepeatedInput::RepeatedInput() {
  struct stat seen = {};
  if (fstat(STDIN_FILENO, &seen) != 0) return;
  if (S_ISREG(seen.st_mode)) offset_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (!S_ISFIFO(seen.st_mode) && !S_ISSOCK(seen.st_mode)) return;
  int ends[2];
  checked(pipe2(ends, O_CLOEXEC), "pipe");
  source_ = checked(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "standard input");
  kept_ = checked(memfd_create("gable input", MFD_CLOEXEC), "memfd_create");
  checked(dup2(ends[0], STDIN_FILENO), "standard input");
  close(ends[0]);
  sink_ = ends[1];
  passing_ = std::thread([this] { pass_on(); });
}

RepeatedInput::~RepeatedInput() {
  done_ = true;
  if (passing_.joinable()) passing_.join();
  for (const int file : {source_, sink_, kept_}) {
    if (file >= 0) close(file);
  }
}

void RepeatedInput::pass_on() {
  fcntl(sink_, F_SETFL, O_NONBLOCK);
  bool open = true;
  std::vector<char> buffer(1 << 16);
  while (!done_ && open) {
    constexpr int look_up_ms = 50;
    pollfd ready = {source_, POLLIN, 0};
    if (poll(&ready, 1, look_up_ms) <= 0) continue;
    const ssize_t got = read(source_, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || write_all(kept_, std::string_view(buffer.data(), static_cast<std::size_t>(got))) != 0)
      break;
    for (ssize_t sent = 0; sent < got && open && !done_;) {
      pollfd room = {sink_, POLLOUT, 0};
      if (poll(&room, 1, look_up_ms) <= 0) continue;
      const ssize_t more = write(sink_, buffer.data() + sent, static_cast<std::size_t>(got - sent));
      if (more > 0) sent += more;
      if (more < 0 && errno != EAGAIN && errno != EINTR) open = false;
    }
  }
  close(sink_);
  sink_ = -1;
}

void RepeatedInput::again() {
  if (offset_ >= 0) lseek(STDIN_FILENO, offset_, SEEK_SET);
  if (kept_ < 0) return;
  done_ = true;
  if (passing_.joinable()) {
    passing_.join();
    checked(dup2(kept_, STDIN_FILENO), "standard input");
  }
  lseek(STDIN_FILENO, 0, SEEK_SET);
}

Silence::Silence() {
  std::fflush(stdout);
  std::fflush(stderr);
  const int nowhere = checked(open("/dev/null", O_WRONLY | O_CLOEXEC), "/dev/null");
  out_ = checked(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "standard output");
  error_ = checked(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), "standard error");
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

Silence::~Silence() {
  dup2(out_, STDOUT_FILENO);
  dup2(error_, STDERR_FILENO);
  close(out_);
  close(error_);
}

}  // namespace gable::cli
