#pragma once

// A folder that a command makes goes again when the command comes to nothing.

#include <filesystem>
#include <string>

namespace gable::cli {

class NewFolder {
 public:
  /// Before the folder is made, or found.
  explicit NewFolder(const std::string& folder);

  /// Removes the description of the machine and the folders that were not there before, unless anything else
  /// was written into it meanwhile. Can be called again.
  void remove_if_unused() const;

 private:
  std::filesystem::path folder_, highest_;  ///< the highest one that was not there; empty: all were
};

}  // namespace gable::cli
