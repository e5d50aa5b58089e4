#pragma once

// Shared memory of each kind, in this process, for the tests of its memory policy.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kmaf/live/shared_memory/shared_objects.hpp"

namespace gable::kmaf::live {

inline constexpr std::size_t bytes = 4096, pages = 64;
inline constexpr int hidden = 2 | 1 << 13;  // MPOL_BIND | MPOL_F_NUMA_BALANCING

// An object of each kind, in this process.
struct Kind {
  const char* name;
  std::function<char*()> make;  // `pages` pages, or nullptr
};

inline void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

inline char* mapped(int fd) {
  if (fd >= 0 && ftruncate(fd, bytes * pages) != 0) return nullptr;
  void* const at =
      mmap(nullptr, bytes * pages, PROT_READ | PROT_WRITE, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
  if (fd >= 0) close(fd);
  return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
}

inline std::string file_name() {
  return "/dev/shm/gable-test-" + std::to_string(getpid());
}

inline const Kind kinds[] = {
    {"anonymous", [] { return mapped(-1); }},
    {"memfd", [] { return mapped(memfd_create("gable-test", MFD_CLOEXEC)); }},
    {"file", [] { return mapped(open(file_name().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)); }},
    {"removed",
     [] {
       const int fd = open(file_name().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
       unlink(file_name().c_str());
       return mapped(fd);
     }},
    {"systemv", [] {
       const int id = shmget(IPC_PRIVATE, bytes * pages, 0600);
       void* const at = shmat(id, nullptr, 0);
       shmctl(id, IPC_RMID, nullptr);
       return at == reinterpret_cast<void*>(-1) ? nullptr : static_cast<char*>(at);
     }}};

inline int mode_at(const void* at) {
  int mode = -1;
  constexpr int of_address = 2;
  return syscall(SYS_get_mempolicy, &mode, nullptr, 0, at, of_address) == 0 ? mode : -errno;
}

inline int pages_in_memory(char* at) {
  unsigned char in_memory[pages] = {};
  mincore(at, bytes * pages, in_memory);
  int count = 0;
  for (const unsigned char page : in_memory) count += page & 1;
  return count;
}

// The mapping of this process that begins there.
inline MappedRange mapping_at(const void* begin) {
  for (const MappedRange& each : mappings_of(getpid())) {
    if (each.begin == reinterpret_cast<std::uint64_t>(begin)) return each;
  }
  return {};
}

// Refuses these system calls from now on; for get_mempolicy(2) only the query of allowed nodes.
inline bool forbid(const std::vector<int>& calls) {
  constexpr unsigned allowed = 4;  // MPOL_F_MEMS_ALLOWED
  std::vector<sock_filter> filter = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  const auto refuse = [&](unsigned value) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  };
  for (const int call : calls) {
    if (call != SYS_get_mempolicy) refuse(static_cast<unsigned>(call));
  }
  if (std::find(calls.begin(), calls.end(), SYS_get_mempolicy) != calls.end()) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_get_mempolicy, 0, 3));
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[4])));
    refuse(allowed);
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#define SKIP_WITHOUT_POLICIES() \
  if (hiding_policy().mode == 0) GTEST_SKIP() << "memory policies are not allowed here"

class Objects : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_POLICIES();
    memory_ = GetParam().make();
    ASSERT_NE(memory_, nullptr);
  }
  ~Objects() override {
    if (memory_ != nullptr) munmap(memory_, bytes * pages);
    unlink(file_name().c_str());
  }
  MappedRange mapping() const { return mapping_at(memory_); }
  // Looks only at these, not at other mappings of this process.
  void look(SharedObjects& objects) { objects.look(getpid(), {mapping()}); }
  static bool refused(const SharedObjects& objects) { return objects.counts().done == 0; }
  // The missing privilege without which nothing can be tested: opening unnamed objects needs one,
  // setting policies in a container another.
  static std::string lacking(const SharedObjects& objects) {
    for (const auto& [reason, count] : objects.counts().failed) {
      if (reason.find("CAP_") != std::string::npos) return reason;
    }
    return {};
  }

  char* memory_ = nullptr;
  Journal journal_ = Journal::unnamed();
};

}  // namespace gable::kmaf::live
