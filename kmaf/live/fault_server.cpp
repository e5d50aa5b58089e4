#include "kmaf/live/fault_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "kmaf/live/guardian/own_process.hpp"

namespace gable::kmaf::live {

namespace {

[[noreturn]] void serve(int listening, int asked, int told) {
  detach("gable-faults");
  keep_only({listening, asked, told});
  rlimit most = {};  // two descriptors a process
  if (getrlimit(RLIMIT_NOFILE, &most) == 0) {
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
  }
  try {
    WriteWatch(listening, asked, told).run();
  } catch (...) {
    _exit(1);  // everybody goes on
  }
  _exit(0);
}

}  // namespace

FaultServer::FaultServer(const Door& door) {
  int asked[2], told[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, asked) != 0 ||
      pipe2(told, O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error(errno, std::generic_category(), "pipes to a process of its own");
  constexpr int room = 1 << 20;
  fcntl(told[1], F_SETPIPE_SZ, room);
  pid_ = fork();
  if (pid_ == 0) serve(door.listening.get(), asked[0], told[1]);
  close(asked[0]);
  close(told[1]);
  asks_.emplace(asked[1]);
  told_.emplace(told[0]);
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "a process of its own");
}

void FaultServer::ask(const Asked& asked) {
  if (asks_) send(asks_->get(), &asked, sizeof asked, MSG_NOSIGNAL | MSG_DONTWAIT);
}

std::vector<Told> FaultServer::hear() {
  std::vector<Told> all;
  Told batch[128];
  ssize_t got = 0;
  while ((got = read(told_->get(), batch, sizeof batch)) > 0)
    all.insert(all.end(), batch, batch + static_cast<std::size_t>(got) / sizeof(Told));
  ended_ = ended_ || got == 0;
  return all;
}

std::optional<int> FaultServer::descriptor() const {
  if (ended_) return {};
  return told_->get();
}

std::vector<Told> FaultServer::dismiss() {
  if (!asks_) return {};
  asks_.reset();
  std::vector<Told> last;
  constexpr int patience_ms = 5000;
  while (!ended_) {
    pollfd news = {told_->get(), POLLIN, 0};
    if (poll(&news, 1, patience_ms) == 0) kill(pid_, SIGKILL);
    const std::vector<Told> more = hear();
    last.insert(last.end(), more.begin(), more.end());
  }
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
  return last;
}

}  // namespace gable::kmaf::live
