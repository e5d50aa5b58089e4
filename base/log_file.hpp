#pragma once

// Files of lines that only grow: every line is complete or absent.

#include <string>
#include <string_view>

namespace gable {

/// Appends one line in one write and flushes it to the disk. If the disk is full, restores the former length
/// of the file and throws std::system_error. Only one writer at a time. Throws Error::format if the last line
/// of the file is incomplete.
void append_line(const std::string& path, std::string_view line);

/// Completes an incomplete last line of a killed writer from the copy that append_line keeps during the
/// write (`path`.next). Moves any other incomplete last line to the end of `path`.torn, and returns a
/// sentence that says so; else nothing. Throws std::system_error.
std::string finish_append(const std::string& path);

}  // namespace gable
