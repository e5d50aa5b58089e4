#include "kmaf/live/visitor.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

namespace gable::kmaf::live {

namespace {

// Then thread numbers in its faults are not those of this process's /proc.
bool has_numbers_of_its_own(pid_t pid) {
  std::ifstream lines("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("NSpid:")) continue;
    std::istringstream numbers(line.substr(line.find(':') + 1));
    int count = 0;
    for (pid_t each = 0; numbers >> each;) ++count;
    return count != 1;
  }
  return false;  // it has ended
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

// The kernel gives an abstract name that nobody has when none is asked for.
Door open_door() {
  constexpr int most_waiting = 4096;
  Door door{Descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), {}};
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  socklen_t length = sizeof address.sun_family;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(door.listening.get(), any, length) != 0 || listen(door.listening.get(), most_waiting) != 0)
    fail("a socket for the program");
  length = sizeof address;
  if (getsockname(door.listening.get(), any, &length) != 0) fail("the name of a socket");
  door.name.assign(address.sun_path + 1, length - offsetof(sockaddr_un, sun_path) - 1);
  return door;
}

std::optional<Visitor> hear_visitor(int connection) {
  Visitor visitor;
  ucred who = {};
  socklen_t length = sizeof who;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0) return {};
  visitor.pid = who.pid;
  visitor.stranger = who.uid != geteuid() || has_numbers_of_its_own(who.pid);
  if (visitor.stranger) return visitor;
  pollfd news = {connection, POLLIN, 0};
  constexpr int patience_ms = 50;  // it is about to say its word when it connects
  if (poll(&news, 1, patience_ms) != 1) return {};
  std::array<int, 2> fds = {};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof fds)> control = {};
  iovec part = {&visitor.hello, sizeof visitor.hello};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* const first = CMSG_FIRSTHDR(&message);
  if (first != nullptr && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS) {
    const std::size_t bytes = std::min(first->cmsg_len - CMSG_LEN(0), sizeof fds);
    std::memcpy(fds.data(), CMSG_DATA(first), bytes);
    for (std::size_t i = 0; i < bytes / sizeof(int); ++i) visitor.descriptors.emplace_back(fds[i]);
  }
  if (got != static_cast<ssize_t>(sizeof visitor.hello)) return {};
  if (visitor.hello.word == gable_joins && visitor.descriptors.size() != fds.size()) return {};
  return visitor;
}

void answer_visitor(int connection) {
  const char answer = 0;
  send(connection, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace gable::kmaf::live
