#include "cli/point/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "base/files.hpp"

namespace gable::cli {

namespace {

void take_as_input(const Descriptor& file) {
  if (dup2(file.get(), STDIN_FILENO) < 0) fail("standard input");
}

}  // namespace

RepeatedInput::RepeatedInput() {
  struct stat seen = {};
  if (fstat(STDIN_FILENO, &seen) != 0) return;
  if (S_ISREG(seen.st_mode)) offset_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (!S_ISFIFO(seen.st_mode) && !S_ISSOCK(seen.st_mode)) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) fail("pipe");
  const Descriptor end(ends[0]);
  sink_ = Descriptor(ends[1]);
  source_ = Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "standard input");
  kept_ = Descriptor(memfd_create("gable input", MFD_CLOEXEC), "memfd_create");
  take_as_input(end);
  passing_ = std::thread([this] { pass_on(); });
}

RepeatedInput::~RepeatedInput() {
  done_ = true;
  if (passing_.joinable()) passing_.join();
}

void RepeatedInput::pass_on() {
  fcntl(sink_.get(), F_SETFL, O_NONBLOCK);
  bool open = true;
  std::vector<char> buffer(1 << 16);
  while (!done_ && open) {
    constexpr int look_up_ms = 50;
    pollfd ready = {source_.get(), POLLIN, 0};
    if (poll(&ready, 1, look_up_ms) <= 0) continue;
    const ssize_t got = read(source_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 ||
        write_all(kept_.get(), std::string_view(buffer.data(), static_cast<std::size_t>(got))) != 0)
      break;
    for (ssize_t sent = 0; sent < got && open && !done_;) {
      pollfd room = {sink_.get(), POLLOUT, 0};
      if (poll(&room, 1, look_up_ms) <= 0) continue;
      const ssize_t more = write(sink_.get(), buffer.data() + sent, static_cast<std::size_t>(got - sent));
      if (more > 0) sent += more;
      if (more < 0 && errno != EAGAIN && errno != EINTR) open = false;
    }
  }
  sink_ = Descriptor();
}

void RepeatedInput::again() {
  if (offset_ >= 0) lseek(STDIN_FILENO, offset_, SEEK_SET);
  if (!kept_) return;
  done_ = true;
  if (passing_.joinable()) {
    passing_.join();
    take_as_input(kept_);
  }
  lseek(STDIN_FILENO, 0, SEEK_SET);
}

Silence::Silence() {
  std::fflush(stdout);
  std::fflush(stderr);
  const Descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC), "/dev/null");
  out_ = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "standard output");
  error_ = Descriptor(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), "standard error");
  dup2(nowhere.get(), STDOUT_FILENO);
  dup2(nowhere.get(), STDERR_FILENO);
}

Silence::~Silence() {
  dup2(out_.get(), STDOUT_FILENO);
  dup2(error_.get(), STDERR_FILENO);
}

}  // namespace gable::cli
