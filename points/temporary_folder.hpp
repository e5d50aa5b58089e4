#pragma once

// A folder for files that a program leaves for us to read.

#include <filesystem>
#include <string>

namespace gable::points {

/// A new folder in $TMPDIR (/tmp where it is not set), which goes with the object. A program that runs
/// meanwhile (run.hpp) passes signals on, so that a Gable that is told to end comes to that.
class TemporaryFolder {
 public:
  /// `what` is part of its name: "counts". Throws CountError.
  explicit TemporaryFolder(const std::string& what);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path;  ///< absolute
};

}  // namespace gable::points
