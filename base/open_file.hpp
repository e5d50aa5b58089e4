#pragma once

// Functions shared by reading and writing files; only for the sources of base/.

#include <filesystem>
#include <string>
#include <string_view>

namespace gable {

/// A file descriptor that closes itself.
class OpenFile {
 public:
  /// Throws std::system_error with `what` and errno if `descriptor` is invalid.
  OpenFile(int descriptor, const std::string& what);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  operator int() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Writes all of `text`; the error number, or 0.
int write_all(int file, std::string_view text);

/// Flushes the file to the disk; returns the error number, or 0. Pipes and devices need no flush and cannot
/// have one.
int flush_to_disk(int file);

/// Flushes the folder of `path`, so that a new name in it is durable.
void flush_folder_of(const std::filesystem::path& path);

}  // namespace gable
