#pragma once

// A folder created by a command is removed again if the command has no result.

#include <filesystem>
#include <string>

namespace gable::cli {

class NewFolder {
 public:
  /// Must be constructed before the folder is created or found.
  explicit NewFolder(const std::string& folder);

  /// Removes the description of the machine and the folders that did not exist before, unless anything else
  /// was written into them meanwhile. May be called repeatedly.
  void remove_if_unused() const;

 private:
  std::filesystem::path folder_, highest_;  ///< the highest one that did not exist; empty if all existed
};

}  // namespace gable::cli
