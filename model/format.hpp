#pragma once

// Reads and writes the project's files. Every reader names the file and the line at fault; every writer leaves either
// the old file or the new one, whole.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/records.hpp"

namespace gable::model {

/// A file that is not what it should be; the message starts with "file:line: ".
struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One Sample as one line of JSON, without the newline, and back (`where` is "file:line" for the error).
std::string to_line(const Sample& sample);
Sample sample_from_line(std::string_view line, const std::string& where);

/// The Samples of a samples.jsonl; an absent file has none. Throws FormatError for any broken line, the last too.
std::vector<Sample> read_samples(const std::string& path);

/// Appends one line in one write and flushes it to the disk. On a full disk the file is cut back to what it was and
/// std::system_error is thrown.
void append_line(const std::string& path, std::string_view line);

/// Replaces the file by `text` through a temporary file beside it and a rename. Throws std::system_error; the old file
/// is then still there.
void write_whole(const std::string& path, std::string_view text);

/// The whole file. Throws std::system_error.
std::string read_whole(const std::string& path);

}  // namespace gable::model
