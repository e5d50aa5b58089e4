#pragma once

// Names for what memory belongs to. Memory that one process has for itself is named by the process, shared
// memory by the file behind it, so that processes that map it at different addresses meet in one page of the
// affinity table (kMAF paper, section 3.1.1, which uses physical addresses for this).

#include <cstdint>
#include <map>
#include <tuple>

namespace gable::kmaf {

class Objects {
 public:
  /// The address space of a process, or of all threads of a trace.
  std::uint64_t process(std::int64_t pid) { return number({0, pid, 0}); }
  /// The process is gone: its name is nobody's until it is asked for again, and then a new one.
  void forget_process(std::int64_t pid) { numbers_.erase({0, pid, 0}); }
  /// A file, shared memory object or shared anonymous mapping, by the device and inode of /proc/PID/maps. The
  /// address of an access in it is its offset in the file.
  std::uint64_t file(std::uint64_t device, std::uint64_t inode) {
    return number({1, static_cast<std::int64_t>(device), inode});
  }
  /// Nobody maps it any more.
  void forget_file(std::uint64_t device, std::uint64_t inode) {
    numbers_.erase({1, static_cast<std::int64_t>(device), inode});
  }

 private:
  using Name = std::tuple<int, std::int64_t, std::uint64_t>;
  std::uint64_t number(const Name& name) {
    const auto [found, is_new] = numbers_.try_emplace(name, next_);
    next_ += is_new ? 1 : 0;
    return found->second;
  }

  std::map<Name, std::uint64_t> numbers_;
  std::uint64_t next_ = 0;
};

}  // namespace gable::kmaf
