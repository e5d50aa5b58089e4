#pragma once

// Small readers for /proc and /sys; a file that cannot be read gives an empty result.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace gable::machines {

/// The whole file without trailing newlines and zero bytes; empty if it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// What can be read of the file, as it is: files of a process in /proc may end with it.
std::string raw_text(const std::filesystem::path& path);

/// A field of proc_pid_stat(5), counted from 1 and behind the name; nothing where `stat` has no such number.
std::optional<std::uint64_t> stat_field(const std::string& stat, int place);

/// The value of the first line "key<spaces or tabs>: value" (`separator` ':') or "key=value", unquoted.
std::string read_field(const std::filesystem::path& path, const std::string& key, char separator);

/// The unsigned number at the start of the text.
std::optional<std::uint64_t> to_number(const std::string& text);

}  // namespace gable::machines
