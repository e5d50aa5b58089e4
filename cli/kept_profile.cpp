#include "cli/kept_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/whole_file.hpp"
#include "model/json/programs/profile.hpp"
#include "model/profile/bounded.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* profiles = "profiles";

// Letters, digits and a few signs of the name; every file system and shell takes them.
std::string file_stem(const std::string& name) {
  constexpr std::size_t longest = 60;
  std::string stem;
  for (const unsigned char c : name) {
    const bool plain = std::isalnum(c) != 0 || c == '_' || c == '+' || (c == '.' && !stem.empty());
    if (plain)
      stem += static_cast<char>(c);
    else if (!stem.empty() && stem.back() != '-')
      stem += '-';
  }
  stem.resize(std::min(stem.size(), longest));
  return stem.empty() ? "point" : stem;
}

std::string bounded_json(const model::Profile& profile) {
  std::string text = model::profile_to_json(profile);
  for (std::size_t most = profile.uses.size() + profile.accesses.size(); text.size() > most_profile_bytes;) {
    most /= 2;
    text = model::profile_to_json(model::bounded(profile, most));
    if (most == 0) break;
  }
  return text;
}

}  // namespace

std::string profile_path(const std::string& folder, const std::string& file) {
  return fs::path(folder) / profiles / file;
}

std::string keep_profile(const std::string& folder, const std::string& point, const model::Profile& profile) {
  fs::create_directories(fs::path(folder) / profiles);
  const std::string stem = file_stem(point);
  std::string file = stem + ".profile";
  for (int number = 2; fs::exists(profile_path(folder, file)); ++number)
    file = fmt::format("{}-{}.profile", stem, number);
  write_whole(profile_path(folder, file), bounded_json(profile));
  return file;
}

void remove_profiles(const std::string& folder, const std::vector<model::Point>& before,
                     const std::vector<model::Point>& after) {
  std::set<std::string> kept = {""};
  for (const model::Point& point : after) kept.insert(point.profile);
  std::error_code ignored;
  for (const model::Point& point : before) {
    if (kept.insert(point.profile).second) fs::remove(profile_path(folder, point.profile), ignored);
  }
  fs::remove(fs::path(folder) / profiles, ignored);  // only if it is empty
}

}  // namespace gable::cli
