#pragma once

// Files of lines that only grow: a line is there whole or not at all.

#include <string>
#include <string_view>

namespace gable {

/// Appends one line in one write and flushes it to the disk. On a full disk the file is cut back to what it
/// was and std::system_error is thrown. One writer at a time. Throws FormatError when the last line there is
/// cut off.
void append_line(const std::string& path, std::string_view line);

/// Completes a last line that a writer left cut off when it was killed, from the copy that append_line keeps
/// beside the file meanwhile (`path`.next). A line cut off in any other way stays as it is.
void finish_append(const std::string& path);

}  // namespace gable
