#include "kmaf/live/shared_memory/object_policy.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <utility>

#include "kmaf/live/program/processes.hpp"
#include "machines/affinity.hpp"

namespace gable::kmaf::live {

namespace {

constexpr int bind_mode = 2, interleave_mode = 3, balancing = 1 << 13;  // MPOL_F_NUMA_BALANCING
constexpr int of_address = 1 << 1, allowed = 1 << 2;                    // MPOL_F_ADDR, MPOL_F_MEMS_ALLOWED
constexpr unsigned most_policy_nodes = 1024;
using machines::BitMask;

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// 0 if the file opened with O_PATH is the object and is in memory; otherwise errno.
int is_not(int path, const SharedObject& object) {
  struct stat status = {};
  struct statfs system = {};
  if (fstat(path, &status) != 0 || fstatfs(path, &system) != 0) return errno;
  if (device_of(status) != (object.device & ~system_v) || status.st_ino != object.inode) return ENOENT;
  return S_ISREG(status.st_mode) && system.f_type == TMPFS_MAGIC ? 0 : ENOTSUP;
}

// Checks the type before opening: opening a device or a pipe may have side effects.
OpenObject open_path(const std::string& path, const SharedObject& object, int flags) {
  const Descriptor found(open(path.c_str(), O_PATH | O_CLOEXEC | flags));
  if (!found) return {Descriptor(), errno};
  if (const int error = is_not(found.get(), object)) return {Descriptor(), error};
  const std::string again = "/proc/self/fd/" + std::to_string(found.get());
  constexpr int quietly = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  int file = open(again.c_str(), quietly | O_NOATIME);
  if (file < 0 && errno == EPERM) file = open(again.c_str(), quietly);  // another user's file
  const int error = file < 0 ? errno : 0;
  return {Descriptor(file), error};
}

}  // namespace

PagePolicy hiding_policy() {
  BitMask mask = machines::bit_mask({}, most_policy_nodes);
  if (syscall(SYS_get_mempolicy, nullptr, mask.data(), most_policy_nodes, nullptr, allowed) != 0) return {};
  return {bind_mode | balancing, machines::bits_in(mask)};
}

const std::vector<std::string>& HeldFiles::called(const std::string& name) {
  if (!std::exchange(listed_, true)) {
    std::array<char, PATH_MAX> link = {};
    for (const std::string& file : open_files_of(pid_)) {
      const ssize_t got = readlink(file.c_str(), link.data(), link.size());
      if (got <= 0 || link[0] != '/') continue;
      std::string its_name(link.data(), static_cast<std::size_t>(got));
      for (std::size_t at = 0; (at = its_name.find('\n', at)) != std::string::npos;)
        its_name.replace(at, 1, "\\012");
      files_[std::move(its_name)].push_back(file);
    }
  }
  static const std::vector<std::string> none;
  const auto found = files_.find(name);
  return found == files_.end() ? none : found->second;
}

// Kernels that support the flag check it, and refuse it with any mode except MPOL_BIND.
bool mbind_hides() {
  void* const page = mmap(nullptr, page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  const BitMask mask = machines::bit_mask({0}, most_policy_nodes);
  const bool taken = syscall(SYS_mbind, page, page_bytes(), interleave_mode | balancing, mask.data(),
                             most_policy_nodes, 0) == 0;
  munmap(page, page_bytes());
  return !taken;
}

OpenObject open_mapped(pid_t pid, const MappedRange& mapping, HeldFiles& held) {
  const SharedObject object{mapping.device, mapping.inode, mapping.name};
  std::array<char, 96> path = {};
  std::snprintf(path.data(), path.size(), "/proc/%d/map_files/%lx-%lx", pid, mapping.begin, mapping.end);
  OpenObject opened = open_path(path.data(), object, 0);
  if (opened.error != EPERM && opened.error != EACCES) return opened;
  if (OpenObject named = open_named(object); named.error == 0 || named.error == ENOTSUP) return named;
  for (const std::string& file : held.called(mapping.name)) {
    OpenObject by_descriptor = open_descriptor(file, object);
    if (by_descriptor.error == 0 || by_descriptor.error == ENOTSUP) return by_descriptor;
  }
  return opened;
}

OpenObject open_named(const SharedObject& object) {
  if (!object.name.starts_with("/")) return {Descriptor(), ENOENT};
  return open_path(object.name, object, O_NOFOLLOW);
}

OpenObject open_descriptor(const std::string& file, const SharedObject& object) {
  return open_path(file, object, 0);
}

std::uint64_t device_of(const struct stat& status) {
  return MappedRange::device_of(major(status.st_dev), minor(status.st_dev));
}

ObjectPage::ObjectPage(const Descriptor& file, std::uint64_t offset) {
  page_ = mmap(nullptr, page_bytes(), PROT_NONE, MAP_SHARED, file.get(), static_cast<off_t>(offset));
  if (page_ != MAP_FAILED) return;
  error_ = errno;
  page_ = nullptr;
}

ObjectPage::ObjectPage(const SharedObject& segment, std::uint64_t offset) {
  attached_ = shmat(static_cast<int>(segment.inode), nullptr, SHM_RDONLY);
  if (attached_ == reinterpret_cast<void*>(-1)) {
    error_ = errno;
    attached_ = nullptr;
    return;
  }
  const auto at = reinterpret_cast<std::uint64_t>(attached_);
  for (const MappedRange& mapping : mappings_of(getpid())) {
    if (mapping.begin == at && mapping.device == segment.device && mapping.inode == segment.inode &&
        offset < mapping.end - mapping.begin)
      page_ = reinterpret_cast<void*>(at + offset);
  }
  if (page_ == nullptr) error_ = ENOENT;
}

ObjectPage::~ObjectPage() {
  if (attached_ != nullptr) {
    shmdt(attached_);
  } else if (page_ != nullptr) {
    munmap(page_, page_bytes());
  }
}

int ObjectPage::read(PagePolicy& policy) const {
  BitMask mask = machines::bit_mask({}, most_policy_nodes);
  if (syscall(SYS_get_mempolicy, &policy.mode, mask.data(), most_policy_nodes, page_, of_address) != 0)
    return errno;
  policy.nodes = machines::bits_in(mask);
  return 0;
}

int ObjectPage::set(const PagePolicy& policy) const {
  const BitMask mask = machines::bit_mask(policy.nodes, most_policy_nodes);
  const bool none = policy.nodes.empty();
  return syscall(SYS_mbind, page_, page_bytes(), policy.mode, none ? nullptr : mask.data(),
                 none ? 0 : most_policy_nodes, 0) == 0
             ? 0
             : errno;
}

}  // namespace gable::kmaf::live
