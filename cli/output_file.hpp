#pragma once

// A file that is written over a while: there whole or not at all.

#include <filesystem>
#include <optional>
#include <string>

#include "base/temporary_folder.hpp"

namespace gable::cli {

/// Throws UsageError, which names `option`, where no file can be made or written at `path`: said before
/// anything is run.
void require_output(const std::string& option, const std::string& path);

/// Until `keep`, what is written lies in a folder of its own beside the file, which the object takes away
/// when it ends. A device or pipe is written as it is.
class OutputFile {
 public:
  /// Throws std::system_error where nothing can be written beside `path`, UsageError where it is a folder.
  explicit OutputFile(const std::string& path);

  /// Where to write: absolute, of the same name. Other files may be written beside it and are not kept.
  const std::filesystem::path& part() const { return part_; }

  /// Replaces the file by `written`, which is part() or a file beside it. Throws std::system_error.
  void keep(const std::filesystem::path& written);

 private:
  std::filesystem::path path_, part_;
  std::optional<TemporaryFolder> folder_;
};

}  // namespace gable::cli
