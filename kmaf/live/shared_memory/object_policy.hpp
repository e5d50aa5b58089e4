#pragma once

// The memory policy of shared memory. It belongs to the object, a file in memory (tmpfs, memfd, System V,
// shared anonymous), not to a process: any process that maps the object can read and set it for each page,
// without touching the page.

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/owned.hpp"
#include "kmaf/live/program/address_space.hpp"

namespace gable::kmaf::live {

struct SharedObject {
  std::uint64_t device = 0, inode = 0;  ///< as in MappedRange
  std::string name;                     ///< as in /proc/PID/maps

  bool operator==(const SharedObject&) const = default;
};

/// The policy of a page, with the numbers of set_mempolicy(2). Mode 0 without nodes: none.
struct PagePolicy {
  int mode = 0;                 ///< with its flags
  std::vector<unsigned> nodes;  ///< os indices, ascending

  bool operator==(const PagePolicy&) const = default;
};

/// Lets the kernel's balancing hide pages, and allocates from all nodes that this process may
/// use, the nearest first, as without a policy. Mode 0 if the kernel does not report the nodes.
PagePolicy hiding_policy();

/// Whether mbind(2) supports such a policy. Linux 5.12 to 5.14 accept it and hide nothing.
bool mbind_hides();

/// An object open for reading, or errno: ENOENT and ESRCH if it is gone, ENOTSUP if it is not
/// ordinary memory (huge pages, DAX, a file on disk), EPERM and EACCES without permission.
struct OpenObject {
  Descriptor file;
  int error = 0;
};

/// The open files of a process. They are listed once, at the first use, without accessing them: stat on a
/// file of an unreachable server would block.
class HeldFiles {
 public:
  explicit HeldFiles(pid_t pid) : pid_(pid) {}
  /// Open files with this name in /proc/PID/maps, as "/proc/PID/fd/N".
  const std::vector<std::string>& called(const std::string& name);

 private:
  pid_t pid_;
  bool listed_ = false;
  std::map<std::string, std::vector<std::string>> files_;
};

/// Opens what the process maps there: through the mapping itself, which needs CAP_CHECKPOINT_RESTORE or
/// CAP_SYS_ADMIN, otherwise by its name or a descriptor of the process.
OpenObject open_mapped(pid_t pid, const MappedRange& mapping, HeldFiles& held);

/// Opens the object by its name, if it still has that name.
OpenObject open_named(const SharedObject& object);

/// Opens the file of a descriptor, "/proc/PID/fd/N".
OpenObject open_descriptor(const std::string& file, const SharedObject& object);

/// The device number as MappedRange has it.
std::uint64_t device_of(const struct stat& status);

/// Maps a page of the object, without access rights, for the lifetime of this.
class ObjectPage {
 public:
  /// `offset`: bytes from the object's start, a multiple of the page size.
  ObjectPage(const Descriptor& file, std::uint64_t offset);
  /// A page of a System V segment that no process maps, by the segment's number.
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

/// A change of an object, as recorded in the journal.
struct ObjectChange {
  SharedObject object;
  std::uint64_t offset = 0;  ///< of the page
  PagePolicy policy;         ///< the new policy; there was none before

  bool operator==(const ObjectChange&) const = default;
};

/// Formats and parses "27 64 8192 0,1 /dev/shm/name"; parsing throws std::runtime_error.
std::string to_line(const ObjectChange& change);
ObjectChange change_from(const std::string& line);

/// Removes policies that are still the ones that were set, from objects found by name or in one of
/// the processes. Deleted objects need nothing. Returns descriptions of what could not be restored, including
/// objects not found within some seconds.
std::vector<std::string> put_back_objects(const std::vector<ObjectChange>& changes,
                                          const std::vector<pid_t>& processes);

}  // namespace gable::kmaf::live
