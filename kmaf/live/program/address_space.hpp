#pragma once

// What lies at the addresses of the program's processes, from /proc/PID/maps.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kmaf/engine/affinity_table.hpp"
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
  /// Of System V segments the device has `system_v` on top: their inode is their number, and another kind of
  /// shared memory on that device may have the same.
  std::uint64_t device = 0, inode = 0;
  bool shared = false;
  bool writable = false;
  bool executable = false;
  bool special = false;  ///< the kernel's own, or a device: its pages do not move
  std::string name;      ///< of what is shared, as the line has it; else empty
};

inline constexpr std::uint64_t system_v = std::uint64_t{1} << 63;

/// Mappings in ascending order. Lines that are not understood are left out.
std::vector<MappedRange> parse_maps(const std::string& text);
/// Of a process; empty when it is gone.
std::vector<MappedRange> mappings_of(pid_t pid);

/// Where an access belongs in the affinity table.
struct Place {
  std::uint64_t object = 0;  ///< of Objects
  std::uint64_t offset = 0;  ///< in the object, in bytes
};

class AddressSpaces {
 public:
  /// Is told a process's mappings whenever they were read.
  using Reader = std::function<void(pid_t, const std::vector<MappedRange>&)>;
  void on_read(Reader reader) { reader_ = std::move(reader); }

  /// A process has begun at that time, or runs another program.
  void expect(pid_t pid, double seconds) { entry(pid, seconds); }

  /// Where somebody wants to be told, looks at every process that was not looked at for a second, the one
  /// that was longest ago first, and reads its mappings if they seem to be others than before. What that
  /// takes is a hundredth of this thread's time at most: the rest is left for later calls.
  void refresh(double seconds);

  /// Code, devices and what is no longer mapped have no place: their pages are not managed. A shared mapping
  /// is placed in its file, anything else in its process. The table of a process is read again after a
  /// second, or when the address is not in it, but not before a hundred times as long has passed as it took.
  std::optional<Place> place(pid_t pid, std::uint64_t address, double seconds);

  /// A process and an address in it where the object's byte `offset` lies, as far as was seen.
  struct Location {
    pid_t pid = 0;
    std::uint64_t address = 0;
  };
  std::optional<Location> location(std::uint64_t object, std::uint64_t offset) const;

  /// The process is gone, or runs another program: its memory gets a new name. The objects that nobody was
  /// seen using who is still there.
  std::vector<std::uint64_t> forget(pid_t pid);

 private:
  struct Space {
    std::uint64_t object = 0;
    std::int64_t name = 0;  // of the process in objects_
    bool is_read = false;
    double read_at = 0;    // or known, while it is not
    double looked_at = 0;  // or read
    double pages = 0;      // of all mappings, when it was read
    double took = 0;       // CPU seconds of the last reading
    std::vector<MappedRange> mappings;
  };
  struct View {                        // of an object in a process
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
