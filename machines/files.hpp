#pragma once

// Small readers for /proc and /sys: what cannot be read is empty.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace gable::machines {

/// The whole file without trailing newlines and zero bytes; empty where it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// The value of the first line "key<spaces or tabs>: value" (`separator` ':') or "key=value", unquoted.
std::string read_field(const std::filesystem::path& path, const std::string& key, char separator);

/// An unsigned number that the text starts with.
std::optional<std::uint64_t> to_number(const std::string& text);

}  // namespace gable::machines
