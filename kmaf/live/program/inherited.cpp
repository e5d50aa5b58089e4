#include "kmaf/live/program/inherited.hpp"

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "machines/affinity.hpp"

namespace gable::kmaf::live {

namespace {

constexpr int set_interleave = 3;  // MPOL_INTERLEAVE
constexpr unsigned most_nodes = 1024;

}  // namespace

int interleave(const std::vector<unsigned>& nodes) {
  const machines::BitMask mask = machines::bit_mask(nodes, most_nodes);
  return syscall(SYS_set_mempolicy, set_interleave, mask.data(), most_nodes) == 0 ? 0 : errno;
}

// This asks in a thread of its own: the policy belongs to the thread and ends with it.
int interleave_refusal(const std::vector<unsigned>& nodes) {
  int error = 0;
  std::thread([&] { error = interleave(nodes); }).join();
  return error;
}

int deny_huge_pages() {
  return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0 ? 0 : errno;
}

int deny_huge_pages_refusal() {
  const int now = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
  return now >= 0 && prctl(PR_SET_THP_DISABLE, now, 0, 0, 0) == 0 ? 0 : errno;
}

int fix_addresses() {
  constexpr unsigned long ask = 0xffffffff;
  const int now = personality(ask);
  return now >= 0 && personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) >= 0 ? 0 : errno;
}

// The setting takes effect at the next exec. A thread of its own tries it, because it ends with the
// thread.
int fix_addresses_refusal() {
  int error = 0;
  std::thread([&] { error = fix_addresses(); }).join();
  return error;
}

OpenFiles::OpenFiles() {
  if (getrlimit(RLIMIT_NOFILE, &before_) != 0) return;
  rlimit all = before_;
  all.rlim_cur = all.rlim_max;
  setrlimit(RLIMIT_NOFILE, &all);
}

void OpenFiles::give_back() const {
  if (before_.rlim_max > 0) setrlimit(RLIMIT_NOFILE, &before_);
}

void occupy_standard_descriptors() {
  int fd = 0;
  do {
    fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO) close(fd);
}

}  // namespace gable::kmaf::live
