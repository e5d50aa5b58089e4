#pragma once

// Reads and writes the project's files. Every reader names the file and the line at fault; every writer
// leaves either the old file or the new one, whole.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// A file that is not what it should be; the message starts with "file:line: ".
struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One Sample as one line of JSON, without the newline, and back (`where` is "file:line" for the error).
/// Field names are those of the records; `work` stands under the name of its unit, "bytes", "flops" or
/// "accesses" by kind; node -1 is null. Both directions throw FormatError for a Sample that contradicts
/// itself: to_line writes nothing that could not be read.
std::string to_line(const Sample& sample);
Sample sample_from_line(std::string_view line, const std::string& where);

/// The Samples of a samples.jsonl in file order; an absent file has none. Throws FormatError for any broken
/// line, the last too. Several Samples of one (Case, round) are all kept: a disturbed visit that was repeated
/// leaves both.
std::vector<Sample> read_samples(const std::string& path);

/// Appends one line in one write and flushes it to the disk. On a full disk the file is cut back to what it
/// was and std::system_error is thrown. One writer at a time. Throws FormatError when the last line there is
/// cut off.
void append_line(const std::string& path, std::string_view line);

/// Completes a last line that a writer left cut off when it was killed, from the copy that append_line keeps
/// beside the file meanwhile (`path`.next). A line cut off in any other way stays as it is.
void finish_append(const std::string& path);

/// Replaces the file by `text` through a temporary file beside it and a rename; a device or pipe is written
/// as it is. Throws std::system_error; the old file is then still there.
void write_whole(const std::string& path, std::string_view text);

/// The whole file. Throws std::system_error.
std::string read_whole(const std::string& path);

}  // namespace gable::model
