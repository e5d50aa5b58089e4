#pragma once

// What the kernel tells of a process's resident pages.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace gable::points {

struct ResidentBytes {
  std::map<int, std::uint64_t> data;  ///< by memory node: its own data, shared memory, files mapped as data
  std::uint64_t code = 0;             ///< of files that are partly mapped as code: the program, its libraries
  std::uint64_t pool = 0;             ///< of the data, on hugetlb pages: they are in no resident size or peak
};

/// A line of /proc/PID/maps: "7f0000000000-7f0000400000 rw-p 00000000 00:00 0  [heap]".
struct MapsLine {
  std::uint64_t begin = 0, end = 0;
  std::string rights, file;  ///< the file may be empty

  bool is_code() const { return rights.find('x') != std::string::npos; }
};

/// Nothing if it is no such line.
std::optional<MapsLine> maps_line(const std::string& line);

/// Files that are mapped as executable, from /proc/PID/maps.
std::set<std::string> code_files(const std::string& maps);

/// The resident bytes by node that a line of /proc/PID/numa_maps tells.
std::map<int, std::uint64_t> resident_bytes_of(const std::string& line);

/// The bytes on huge pages, transparent and hugetlb, from /proc/PID/smaps_rollup; nothing if it is not that.
std::optional<std::uint64_t> bytes_on_huge_pages(const std::string& smaps_rollup);

/// Resident bytes of one process from /proc/PID/numa_maps and /proc/PID/maps; nothing of what cannot be read.
ResidentBytes resident_bytes(const std::string& numa_maps, const std::string& maps);

}  // namespace gable::points
