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
  /// A file, shared memory object or shared anonymous mapping, by the device and inode of /proc/PID/maps. The
  /// address of an access in it is its offset in the file.
  std::uint64_t file(std::uint64_t device, std::uint64_t inode) {
    return number({1, static_cast<std::int64_t>(device), inode});
  }

 private:
  using Name = std::tuple<int, std::int64_t, std::uint64_t>;
  std::uint64_t number(const Name& name) { return numbers_.try_emplace(name, numbers_.size()).first->second; }

  std::map<Name, std::uint64_t> numbers_;
};

}  // namespace gable::kmaf
