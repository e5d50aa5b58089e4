#pragma once

// What the program's processes map at their addresses, from /proc/PID/maps.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kmaf/engine/objects.hpp"

namespace gable::kmaf::live {

/// A line of /proc/PID/maps.
struct MappedRange {
  static constexpr std::uint64_t minor_bits = 20;  ///< of `device`
  static constexpr std::uint64_t device_of(unsigned major, unsigned minor) {
    return std::uint64_t{major} << minor_bits | minor;
  }

  std::uint64_t begin = 0, end = 0;
  std::uint64_t offset = 0;  ///< in the file
  /// For System V segments the device includes `system_v`: their inode is the segment's number, which
  /// another kind of shared memory on that device may share.
  std::uint64_t device = 0, inode = 0;
  bool shared = false;
  bool writable = false;
  bool executable = false;
  bool special = false;  ///< memory of the kernel or a device: its pages do not move
  std::string name;      ///< of shared memory, as in the line; otherwise empty
};

inline constexpr std::uint64_t system_v = std::uint64_t{1} << 63;

/// Mappings in ascending order. Unknown lines are left out.
std::vector<MappedRange> parse_maps(const std::string& text);
/// The mappings of a process; empty if it has ended.
std::vector<MappedRange> mappings_of(pid_t pid);

/// The key of an access in the affinity table.
struct Place {
  std::uint64_t object = 0;  ///< number in Objects
  std::uint64_t offset = 0;  ///< in the object, in bytes
};

class AddressSpaces {
 public:
  /// It is called with a process's mappings whenever they were read.
  using Reader = std::function<void(pid_t, const std::vector<MappedRange>&)>;
  void on_read(Reader reader) { reader_ = std::move(reader); }

  /// A process has started at that time, or executes another program.
  void expect(pid_t pid, double seconds) { entry(pid, seconds); }

  /// If a callback is set, checks every process that was not checked for a second, the oldest check
  /// first, and reads its mappings if they seem to have changed. This takes at most 1 % of this thread's
  /// time: the rest is left for later calls.
  void refresh(double seconds);

  /// Empty for code, devices and unmapped memory: their pages are not managed. A shared mapping belongs to
  /// its file, anything else to its process. The mappings of a process are read again after a second, or
  /// if the address is not in them, but not before a hundred times the duration of the last read.
  std::optional<Place> place(pid_t pid, std::uint64_t address, double seconds);

  /// A process and its address of the object's byte `offset`, if such a mapping was seen.
  struct Location {
    pid_t pid = 0;
    std::uint64_t address = 0;
  };
  std::optional<Location> location(std::uint64_t object, std::uint64_t offset) const;

  /// The process has ended, or executes another program: its memory gets a new name. Returns the objects that
  /// no remaining process is known to use.
  std::vector<std::uint64_t> forget(pid_t pid);

 private:
  struct Space {
    std::uint64_t object = 0;
    std::int64_t name = 0;  // of the process in objects_
    bool is_read = false;
    double read_at = 0;    // or first known, if it was not read
    double looked_at = 0;  // checked or read
    double pages = 0;      // of all mappings, at the last read
    double took = 0;       // CPU seconds of the last read
    std::vector<MappedRange> mappings;
  };
  struct View {                        // an object's mapping in a process
    std::uint64_t begin = 0, end = 0;  // in the object
    std::uint64_t address = 0;         // of begin
  };
  using Views = std::map<std::pair<std::uint64_t, pid_t>, View>;  // by begin
  struct Object {
    Views views;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> file;  // device and inode
  };
  const MappedRange* find(pid_t pid, Space& space, std::uint64_t address, double seconds);
  void read(pid_t pid, Space& space, double seconds);
  Space& entry(pid_t pid, double seconds);
  bool look_at_oldest(double seconds);

  Reader reader_;
  double rests_until_ = 0;  // refresh()
  Objects objects_;
  std::int64_t next_process_ = 0;
  std::unordered_map<pid_t, Space> spaces_;
  std::unordered_map<std::uint64_t, Object> objects_seen_;
};

}  // namespace gable::kmaf::live
