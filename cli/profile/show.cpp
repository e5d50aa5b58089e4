#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/predict/profile_files.hpp"
#include "cli/profile/shown.hpp"

namespace gable::cli {
namespace {

using model::ProfileKey;

constexpr ShownRows tables[] = {
    {"function", "Functions", "function", ProfileKey::function},
    {"line", "Source lines", "line", ProfileKey::line},
    {"object", "Objects", "object", ProfileKey::object},
    {"region", "Regions", "region", ProfileKey::region},
};

bool is_wanted(const ShownRows& shown, const model::Profile& profile, const std::string& by) {
  if (!by.empty()) return by == shown.name;
  const bool has_lines = std::any_of(profile.places.begin(), profile.places.end(),
                                     [](const model::ProfilePlace& place) { return !place.file.empty(); });
  const bool has_regions = std::any_of(profile.uses.begin(), profile.uses.end(),
                                       [](const model::ProfileUses& uses) { return !uses.region.empty(); });
  return shown.key == ProfileKey::line ? has_lines : shown.key == ProfileKey::region ? has_regions : true;
}

// The point of the folder that is to be shown.
model::Point point_in(const std::string& folder, const std::string& name) {
  std::vector<model::Point> points = points_of(folder);
  if (!name.empty()) {
    const model::Point& point = point_named(points, name, folder);
    if (point.profile.empty())
      throw Error::usage(fmt::format(
          "{}: no profile is kept of the point '{}'; `gable point run` with the counter profile keeps one",
          folder, name));
    return point;
  }
  std::erase_if(points, [](const model::Point& point) { return point.profile.empty(); });
  if (points.empty())
    throw Error::usage(folder + ": no profile of a point is kept there; `gable point run` keeps one");
  if (points.size() > 1)
    throw Error::usage(fmt::format("{}: of which point? --point takes {}", folder,
                                   joined(points, [](const model::Point& point) { return point.name; })));
  return points.front();
}

// The point of the folder `machine` (empty: none) with the command and the build of the profile; rather one
// of the whole program than of a region.
ProfilePoint point_of(const model::Profile& profile, const std::string& machine) {
  ProfilePoint found;
  if (machine.empty()) return found;
  found.folder = machine;
  for (const model::Point& each : points_of(machine)) {
    if (each.command != profile.command || each.profile.empty()) continue;
    if (each.build != profile.build) {
      found.other_build = each.name;
    } else if (!found.point || each.region.empty() || !found.point->region.empty()) {
      found.point = each;
    }
  }
  return found;
}

// Where a folder is named, the profile and the machine are those of its point.
ProfilePoint take_point(ProfileShowArguments& arguments) {
  if (!std::filesystem::is_directory(arguments.file)) {
    if (!arguments.point.empty())
      throw Error::usage(fmt::format("--point {}: {} is no folder", arguments.point, arguments.file));
    return {};
  }
  const std::string folder = arguments.file;
  ProfilePoint of{point_in(folder, arguments.point), folder, {}};
  arguments.file = profile_path(folder, of.point->profile);
  if (arguments.machine.empty() && std::filesystem::exists(file_in(folder, "machine.json")))
    arguments.machine = folder;
  return of;
}

// The caches for threads that run as those of the point, or as the arguments say.
ProfileMachine caches_for(const model::Profile& profile, const ProfileShowArguments& arguments,
                          const std::optional<model::Point>& point) {
  const int cluster = arguments.cluster < 0 && point ? point->cluster : arguments.cluster;
  const int threads = point && point->threads > 0 ? point->threads : profile.threads;
  const auto huge_pages = !arguments.huge_pages && point ? point->huge_pages_percent : arguments.huge_pages;
  return profile_machine(arguments.machine, std::max(cluster, 0), threads, huge_pages);
}

}  // namespace

std::vector<ShownRows> shown_rows(const model::Profile& profile, const std::string& by) {
  return those(tables, [&](const ShownRows& rows) { return is_wanted(rows, profile, by); });
}

bool shows_levels(const std::string& by) {
  return by.empty() || by == "level";
}

void show_profile(const ProfileShowArguments& given) {
  ProfileShowArguments arguments = given;
  ProfilePoint of = take_point(arguments);
  ProfileFiles files;
  const std::shared_ptr<const model::Profile> read = files.any(arguments.file);
  const model::Profile& profile = *read;
  if (!of.point) of = point_of(profile, arguments.machine);
  const LevelTimes levels(arguments, of, files);
  const std::optional<ProfileMachine> used = levels.machine(arguments.machine);
  const ProfileMachine machine = used ? *used : caches_for(profile, arguments, of.point);
  const ProfileTimes times(of, arguments.machine);
  const ShownProfile shown{profile, machine, levels, times};
  if (arguments.json) return print_profile_json(shown, arguments.by);
  if (arguments.csv) return print_profile_csv(shown, arguments.by);
  print_profile(shown, arguments);
}

}  // namespace gable::cli
