#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/profile/shown.hpp"
#include "model/json/programs/profile.hpp"

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

// Where a folder is named, the profile, the machine and the cluster are those of its point.
std::optional<model::Point> take_point(ProfileShowArguments& arguments) {
  if (!std::filesystem::is_directory(arguments.file)) {
    if (!arguments.point.empty())
      throw Error::usage(fmt::format("--point {}: {} is no folder", arguments.point, arguments.file));
    return std::nullopt;
  }
  const std::string folder = arguments.file;
  model::Point point = point_in(folder, arguments.point);
  arguments.file = profile_path(folder, point.profile);
  if (arguments.machine.empty() && std::filesystem::exists(file_in(folder, "machine.json")))
    arguments.machine = folder;
  if (arguments.cluster < 0) arguments.cluster = point.cluster;
  if (!arguments.huge_pages) arguments.huge_pages = point.huge_pages_percent;
  return point;
}

}  // namespace

std::vector<ShownRows> shown_rows(const model::Profile& profile, const std::string& by) {
  std::vector<ShownRows> shown;
  std::ranges::copy_if(tables, std::back_inserter(shown),
                       [&](const ShownRows& rows) { return is_wanted(rows, profile, by); });
  return shown;
}

void show_profile(const ProfileShowArguments& given) {
  ProfileShowArguments arguments = given;
  const std::optional<model::Point> point = take_point(arguments);
  const model::Profile profile = model::profile_from_json(named_file(arguments.file), arguments.file);
  const int threads = point && point->threads > 0 ? point->threads : profile.threads;
  const ProfileMachine machine =
      profile_machine(arguments.machine, std::max(arguments.cluster, 0), threads, arguments.huge_pages);
  const ProfileTimes times(profile, point, arguments.machine);
  if (arguments.json) return print_profile_json(profile, machine, times, arguments.by);
  if (arguments.csv) return print_profile_csv(profile, machine, arguments.by);
  print_profile(profile, machine, times, arguments);
}

}  // namespace gable::cli
