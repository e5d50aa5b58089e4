#include "cli/new_folder.hpp"

#include <algorithm>
#include <array>

namespace gable::cli {

namespace fs = std::filesystem;

NewFolder::NewFolder(const std::string& folder) : folder_(fs::absolute(folder).lexically_normal()) {
  if (!folder_.has_filename()) folder_ = folder_.parent_path();  // "machines/mine/"
  std::error_code ignored;
  for (fs::path path = folder_; !fs::exists(path, ignored); path = path.parent_path()) highest_ = path;
}

void NewFolder::remove_if_unused() const {
  constexpr std::array descriptions = {"machine.json", "topology.xml"};
  std::error_code ignored;
  if (highest_.empty()) return;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    if (std::ranges::find(descriptions, entry.path().filename()) == descriptions.end()) return;
  }
  for (const char* written : descriptions) fs::remove(folder_ / written, ignored);
  for (fs::path path = folder_;; path = path.parent_path()) {
    if (!fs::remove(path, ignored) || path == highest_) return;  // somebody else's files are in it
  }
}

}  // namespace gable::cli
