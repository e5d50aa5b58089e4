#pragma once

// Files that are read and replaced as a whole, files of lines that only grow, and what is in a folder.

#include <string>
#include <string_view>
#include <vector>

namespace gable {

/// Writes all of `text`; the error number, or 0.
int write_all(int file, std::string_view text);

/// Replaces the file by `text`, so that a reader finds either the old content or the new one, through a
/// temporary file in the same folder and a rename; devices and pipes are written directly. Throws
/// std::system_error, and the old file is then unchanged.
void write_whole(const std::string& path, std::string_view text);

/// The whole file. Throws std::system_error.
std::string read_whole(const std::string& path);

/// Appends one line in one write and flushes it to the disk: it is complete or absent. If the disk is full,
/// restores the former length of the file and throws std::system_error. Only one writer at a time. Throws
/// Error::format if the last line of the file is incomplete.
void append_line(const std::string& path, std::string_view line);

/// Completes an incomplete last line of a killed writer from the copy that append_line keeps during the
/// write (`path`.next). Moves any other incomplete last line to the end of `path`.torn, and returns a
/// sentence that says so; else nothing. Throws std::system_error.
std::string finish_append(const std::string& path);

// What is in a folder. Unlike std::filesystem::directory_iterator of libstdc++ 12, which then ends the
// process, these throw std::bad_alloc where memory is missing.

/// The names of the folder's entries, in no order; none if it cannot be read.
std::vector<std::string> names_in(const std::string& folder);

/// The names that are numbers of at least `least`: processes, threads and open files in /proc.
std::vector<int> numbers_in(const std::string& folder, int least = 1);

}  // namespace gable
