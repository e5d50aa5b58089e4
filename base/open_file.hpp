#pragma once

// What reading and writing files have in common; for the sources of base/ alone.

#include <filesystem>
#include <string>
#include <string_view>

namespace gable {

/// A file descriptor that closes itself.
class OpenFile {
 public:
  /// Throws std::system_error with `what` and errno where `descriptor` is none.
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

/// Flushes the file to the disk; the error number, or 0. Pipes and devices cannot be flushed and need not be.
int flush_to_disk(int file);

/// Flushes the folder of `path`, so that a new name in it lasts.
void flush_folder_of(const std::filesystem::path& path);

}  // namespace gable
