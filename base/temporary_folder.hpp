#pragma once

// A folder for files that are wanted for a while: those that a program leaves for us to read, those that are
// not whole yet.

#include <filesystem>
#include <string>

namespace gable {

/// A new folder, which goes with the object; one whose process was killed goes when the next of the same
/// place and kind is made. While a program runs, Gable passes signals on to it (points/run.hpp): a
/// Gable that is told to end still removes its folders.
///
/// The folder holds a file that its process keeps locked (flock), so that others can tell whether it still
/// lives, in containers too. What is taken away has the name of this kind, belongs to this user, holds such a
/// file, and nobody holds its lock; on file systems without locks nothing is.
class TemporaryFolder {
 public:
  /// In $TMPDIR (/tmp where it is not set); `what` is part of its name: "counts". Throws std::runtime_error,
  /// which names TMPDIR.
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
