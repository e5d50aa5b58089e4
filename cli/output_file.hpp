#pragma once

// A file that is written over some time and appears only when it is complete.

#include <filesystem>
#include <optional>
#include <string>

#include "base/temporary_folder.hpp"

namespace gable::cli {

/// Throws Error::usage, which names `option`, if no file can be created or written at `path`. Checked before
/// anything runs.
void require_output(const std::string& option, const std::string& path);

/// Until `keep`, the output is in a separate folder beside the file, which the destructor removes. Devices
/// and pipes are written directly.
class OutputFile {
 public:
  /// Throws std::system_error if nothing can be written beside `path`, Error::usage if it is a folder.
  explicit OutputFile(const std::string& path);

  /// The path to write to: absolute, with the same file name. Other files beside it are not kept.
  const std::filesystem::path& part() const { return part_; }

  /// Replaces the file by `written`, which is part() or a file beside it. Throws std::system_error.
  void keep(const std::filesystem::path& written);

 private:
  std::filesystem::path path_, part_;
  std::optional<TemporaryFolder> folder_;
};

}  // namespace gable::cli
