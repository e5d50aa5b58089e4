#pragma once

// Files that are read and replaced as a whole: a reader finds either the old content or the new one.

#include <string>
#include <string_view>

namespace gable {

/// Replaces the file by `text` through a temporary file in the same folder and a rename; devices and pipes
/// are written directly. Throws std::system_error, and the old file is then unchanged.
void write_whole(const std::string& path, std::string_view text);

/// The whole file. Throws std::system_error.
std::string read_whole(const std::string& path);

}  // namespace gable
