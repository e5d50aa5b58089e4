#pragma once

// Identifiers for the owners of memory. Private memory is identified by its process, shared memory by its
// file. So processes that map it at different addresses use the same page of the affinity table (the kMAF
// paper, section 3.1.1, uses physical addresses for this).

#include <cstdint>
#include <map>
#include <tuple>

namespace gable::kmaf {

class Objects {
 public:
  /// The address space of a process, or of all threads of a trace.
  std::uint64_t process(std::int64_t pid) { return number({0, pid, 0}); }
  /// The process has ended: if its id appears again, it gets a new object.
  void forget_process(std::int64_t pid) { numbers_.erase({0, pid, 0}); }
  /// A file, shared memory object or shared anonymous mapping, by the device and inode in /proc/PID/maps. The
  /// address of an access in it is the offset in the file.
  std::uint64_t file(std::uint64_t device, std::uint64_t inode) {
    return number({1, static_cast<std::int64_t>(device), inode});
  }
  /// No process maps it any more.
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
