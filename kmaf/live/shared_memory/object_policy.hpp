#pragma once

// The memory policy of shared memory. It belongs to the object, a file in memory (tmpfs, memfd, System V,
// shared anonymous), and not to a process: whoever maps the object may read and set it, page by page, and
// touches none by that.

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kmaf/live/descriptor.hpp"
#include "kmaf/live/program/address_space.hpp"

namespace gable::kmaf::live {

struct SharedObject {
  std::uint64_t device = 0, inode = 0;  ///< as in MappedRange
  std::string name;                     ///< as /proc/PID/maps has it

  bool operator==(const SharedObject&) const = default;
};

/// Of one page, as set_mempolicy(2) numbers it. Mode 0 without nodes: none.
struct PagePolicy {
  int mode = 0;                 ///< with its flags
  std::vector<unsigned> nodes;  ///< os indices, ascending

  bool operator==(const PagePolicy&) const = default;
};

/// Lets the kernel's balancing hide pages, and take their memory from any of the nodes that this process may
/// use, the nearest first, as without a policy. Mode 0 where the kernel does not tell the nodes.
PagePolicy hiding_policy();

/// Whether mbind(2) heeds such a policy. Linux 5.12 to 5.14 take it and hide nothing.
bool mbind_hides();

/// An object that is open for reading, or errno: ENOENT and ESRCH when it is gone, ENOTSUP when it is no
/// ordinary memory (huge pages, DAX, a disk's file), EPERM and EACCES when this process may not.
struct OpenObject {
  Descriptor file;
  int error = 0;
};

/// The files that a process has open. They are listed once, when one is first asked for, and none is touched
/// by that, for whoever asks a file of a server that is gone what it is waits for it.
class HeldFiles {
 public:
  explicit HeldFiles(pid_t pid) : pid_(pid) {}
  /// As "/proc/PID/fd/N", those that are called so in /proc/PID/maps.
  const std::vector<std::string>& called(const std::string& name);

 private:
  pid_t pid_;
  bool listed_ = false;
  std::map<std::string, std::vector<std::string>> files_;
};

/// Opens what the process has mapped there: through the mapping itself, which takes CAP_CHECKPOINT_RESTORE or
/// CAP_SYS_ADMIN, else by its name or a descriptor of the process.
OpenObject open_mapped(pid_t pid, const MappedRange& mapping, HeldFiles& held);

/// Opens it by its name, where that is still its name.
OpenObject open_named(const SharedObject& object);

/// Opens what a descriptor refers to, "/proc/PID/fd/N".
OpenObject open_descriptor(const std::string& file, const SharedObject& object);

/// As in MappedRange.
std::uint64_t device_of(const struct stat& status);

/// A page of the object mapped without access, for as long as this lives.
class ObjectPage {
 public:
  /// `offset`: bytes from the object's beginning, whole pages.
  ObjectPage(const Descriptor& file, std::uint64_t offset);
  /// Of a System V segment that nobody maps, by its number.
  explicit ObjectPage(const SharedObject& segment, std::uint64_t offset);
  ~ObjectPage();
  ObjectPage(const ObjectPage&) = delete;
  ObjectPage& operator=(const ObjectPage&) = delete;

  int error() const { return error_; }  ///< errno; 0: it is mapped
  /// 0 or errno.
  int read(PagePolicy& policy) const;
  int set(const PagePolicy& policy) const;

 private:
  void* page_ = nullptr;
  void* attached_ = nullptr;
  int error_ = 0;
};

/// What was changed of an object, as the journal has it.
struct ObjectChange {
  SharedObject object;
  std::uint64_t offset = 0;  ///< of the page
  PagePolicy policy;         ///< that it was given; before it had none

  bool operator==(const ObjectChange&) const = default;
};

/// "27 64 8192 0,1 /dev/shm/name", and back; throws std::runtime_error where it is not that.
std::string to_line(const ObjectChange& change);
ObjectChange change_from(const std::string& line);

/// Takes policies away that are still the ones that were given, from what is reached by its name or by one of
/// the processes. An object that is gone needs nothing. Returns what could not be put back, in words; what is
/// not found within some seconds is among that.
std::vector<std::string> put_back_objects(const std::vector<ObjectChange>& changes,
                                          const std::vector<pid_t>& processes);

}  // namespace gable::kmaf::live
