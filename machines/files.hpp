#pragma once

// Small readers for /proc and /sys; a file that cannot be read gives an empty result.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gable::machines {

/// The whole file without trailing newlines and zero bytes; empty if it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// What can be read of the file, as it is: files of a process in /proc may end with it.
std::string raw_text(const std::filesystem::path& path);

/// A field of proc_pid_stat(5), counted from 1 and behind the name; nothing where `stat` has no such number.
std::optional<std::uint64_t> stat_field(const std::string& stat, int place);

/// A line of /proc/PID/maps: "7f0000000000-7f0000400000 rw-p 00000000 00:00 0  [heap]".
struct MapsLine {
  std::uint64_t begin = 0, end = 0, offset = 0, inode = 0;
  unsigned major = 0, minor = 0;  ///< of the file's device
  std::string rights, file;       ///< four letters; the file may be empty

  bool is_code() const { return rights.find('x') != std::string::npos; }
};

/// Nothing if it is no such line.
std::optional<MapsLine> maps_line(const std::string& line);

/// The value of the first line "key<spaces or tabs>: value" (`separator` ':') or "key=value", unquoted.
std::string read_field(const std::filesystem::path& path, const std::string& key, char separator);

/// The numbers of a list such as "0-3,8", in its order; none where it is no such list.
std::vector<unsigned> listed_numbers(const std::string& list);

/// The unsigned number at the start of the text.
std::optional<std::uint64_t> to_number(const std::string& text);

}  // namespace gable::machines
