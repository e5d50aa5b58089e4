#include "cli/points_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/owned.hpp"
#include "base/words.hpp"
#include "cli/fit/fit.hpp"
#include "cli/folder.hpp"
#include "cli/predict/advice.hpp"
#include "model/c2c/classes.hpp"
#include "model/json/lines.hpp"
#include "model/json/points.hpp"
#include "model/json/programs/profile.hpp"
#include "model/points/mix_model.hpp"
#include "model/profile/bounded.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;

// This is held while points.json is read, changed and written. The lock is a file of its own, which goes with
// it: a measurement may hold the folder's for hours, and points.json is another file after every change.
class Lock {
 public:
  explicit Lock(const std::string& path) : path_(path) {
    for (;;) {
      file_ = Descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666), "cannot make " + path);
      int failed = 0;
      while ((failed = flock(file_.get(), LOCK_EX)) != 0 && errno == EINTR) {
      }
      struct stat held = {}, there = {};
      const bool same = fstat(file_.get(), &held) == 0 && stat(path.c_str(), &there) == 0 &&
                        held.st_ino == there.st_ino && held.st_dev == there.st_dev;
      if (failed != 0 || same) return;  // a file system without locks, or ours; else its last holder took it
    }
  }
  ~Lock() { unlink(path_.c_str()); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::string path_;
  Descriptor file_;
};

constexpr const char* profiles = "profiles";

// Removes the profiles of `before` that no point of `after` refers to, and DIR/profiles if it is then empty.
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

void change(const std::string& folder, const std::function<void(std::vector<model::Point>&)>& by) {
  const std::string path = file_in(folder, "points.json");
  require_writable(folder);
  const Lock lock(path + ".lock");
  const Background background = background_of(folder);
  const std::vector<model::Point> before = points_of(folder);
  std::vector<model::Point> points = before;
  try {
    by(points);
    write_whole(path, model::points_to_json(points, readings_of(folder, points, background)));
  } catch (...) {
    remove_profiles(folder, points, before);
    throw;
  }
  remove_profiles(folder, before, points);
}

void put(std::vector<model::Point>& points, const model::Point& point, const std::string& folder) {
  if (!point.from.empty()) point_named(points, point.from, folder);
  const auto old = std::ranges::find(points, point.name, &model::Point::name);
  if (old == points.end()) {
    points.push_back(point);
  } else {
    *old = point;
  }
  if (const std::string wrong = model::contradiction(points); !wrong.empty())
    throw Error::usage(fmt::format("--from {}: {}", point.from, wrong));
}

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

Background fitted_background(const std::string& folder) {
  Background background;
  if (fs::exists(file_in(folder, "roofs.json"))) {
    background.roofs = roofs_of(folder);
  } else if (auto fitted = fit_unfitted(folder)) {
    background.roofs = std::move(fitted->roofs);
    background.hybrid = model::mix_model(std::move(fitted->hybrid));
    return background;
  }
  if (fs::exists(file_in(folder, "hybrid.json"))) background.hybrid = model::mix_model(hybrid_of(folder));
  return background;
}

}  // namespace

void add_changed_lines(const std::string& folder, model::Roofs& roofs) {
  const auto samples = model::read_lines<model::C2cSample>(file_in(folder, "c2c.jsonl"));
  model::add_changed_lines(model::c2c_classes(model::c2c_figures(samples)), roofs);
}

Background background_of(const std::string& folder) {
  Background background = fitted_background(folder);
  add_changed_lines(folder, background.roofs);
  return background;
}

std::vector<model::Point> points_of(const std::string& folder) {
  const std::string path = file_in(folder, "points.json");
  if (!fs::exists(path)) return {};
  return model::points_from_json(read_whole(path), path);
}

const model::Point& point_named(const std::vector<model::Point>& points, const std::string& name,
                                const std::string& folder) {
  std::vector<std::string> names;
  for (const model::Point& point : points) {
    if (point.name == name) return point;
    names.push_back(point.name);
  }
  const std::string known =
      names.empty() ? "none: add one with `gable point`" : fmt::format("{}", fmt::join(names, ", "));
  throw Error::usage(fmt::format("{}/points.json has no point '{}'; it has {}{}", folder, name, known,
                                 did_you_mean(name, names)));
}

std::vector<model::Reading> readings_of(const std::string& folder, const std::vector<model::Point>& points,
                                        const Background& background) {
  std::vector<model::Reading> readings;
  std::transform(points.begin(), points.end(), std::back_inserter(readings), [&](const model::Point& point) {
    return model::read_point(background.roofs, point, background.hybrid);
  });
  add_placement_advice(folder, background, points, readings);
  return readings;
}

void require_writable(const std::string& folder) {
  if (access(file_in(folder, "").c_str(), W_OK) == 0) return;
  throw Error::failed(fmt::format("{}: nothing can be written there: {}", folder, std::strerror(errno)));
}

void require_from(const std::string& folder, const model::Point& point) {
  if (point.from.empty()) return;
  std::vector<model::Point> points = points_of(folder);
  put(points, point, folder);
}

void put_point(const std::string& folder, const model::Point& point) {
  put_points(folder, {point}, nullptr);
}

void put_points(const std::string& folder, std::vector<model::Point> added, const model::Profile* profile) {
  if (added.empty()) return;
  change(folder, [&](std::vector<model::Point>& points) {
    for (model::Point& point : added) {
      if (profile != nullptr && &point == &added.front())
        point.profile = keep_profile(folder, point.name, *profile);
      if (profile != nullptr) {
        point.profile = added.front().profile;
        point.build = profile->build;
      }
      put(points, point, folder);
    }
  });
}

void remove_point(const std::string& folder, const std::string& name) {
  point_named(points_of(folder), name, folder);
  change(folder, [&](std::vector<model::Point>& points) {
    std::erase_if(points, [&](const model::Point& point) { return point.name == name; });
    for (model::Point& point : points) {
      if (point.from == name) point.from.clear();
    }
  });
}

void refresh_points(const std::string& folder) {
  if (fs::exists(file_in(folder, "points.json"))) change(folder, [](std::vector<model::Point>&) {});
}

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

}  // namespace gable::cli
