#pragma once

// A folder for temporary files: output of programs that Gable reads, and files that are not complete yet.

#include <filesystem>
#include <string>

namespace gable {

/// A new folder, which is removed with the object. If its process was killed, it is removed when the next
/// folder of the same place and kind is created. While a program runs, Gable passes signals on to it
/// (base/programs/); so a Gable that receives SIGTERM still removes its folders.
///
/// The folder contains a file that its process keeps locked (flock), so that other processes can tell whether
/// it is in use, in containers too. A folder is removed only if it has a name of this kind, belongs to this
/// user and contains such a file that is not locked. On file systems without locks none is removed.
class TemporaryFolder {
 public:
  /// Makes a folder in $TMPDIR (/tmp if it is not set); `what` is part of its name, such as "counts". Throws
  /// std::runtime_error, which names TMPDIR.
  explicit TemporaryFolder(const std::string& what);
  /// `parent`/`prefix`XXXXXX. Throws std::system_error.
  TemporaryFolder(const std::filesystem::path& parent, const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path;  ///< absolute

 private:
  void make(const std::filesystem::path& parent, const std::string& prefix);

  int lock_ = -1;
};

}  // namespace gable
