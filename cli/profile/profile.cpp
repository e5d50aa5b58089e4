#include "cli/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/sorting.hpp"
#include "bench/visit/utc.hpp"
#include "cli/folder.hpp"
#include "cli/output_file.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/points_file.hpp"
#include "cli/text/message.hpp"
#include "model/json/points.hpp"
#include "model/json/programs/profile.hpp"
#include "points/profile/record.hpp"

namespace gable::cli {

void record_profile(const ProfileArguments& arguments) {
  if (arguments.command.empty())
    throw Error::usage("which program? Give it after --, as in `gable profile -- ./app`");
  std::string path = arguments.output;
  if (path.empty()) path = std::filesystem::path(arguments.command.front()).filename().string() + ".profile";
  require_output("--output", path);
  const std::string started = bench::utc_now();
  points::ProfileRun run = points::record_profile({arguments.command, true}, arguments.by_line);
  run.profile.started = started;
  write_whole(path, model::profile_to_json(run.profile));
  if (!run.note.empty()) tell(run.note);
  ProfileShowArguments show;
  show.file = path;
  if (arguments.by_line) show.by = "line";
  show_profile(show);
  if (run.status != 0) throw Error::program("", run.status);
}

ProfileTimes::ProfileTimes(const ProfilePoint& of, const std::string& machine)
    : other_build_(of.other_build) {
  const bool is_there = of.point && !machine.empty() && std::filesystem::equivalent(machine, of.folder);
  if (!is_there) return;
  point_ = of.point;
  const Background background = background_of(of.folder);
  reading_ = model::read_point(background.roofs, *point_, background.hybrid);
}

std::optional<std::size_t> ProfileTimes::function_of(const model::ProfileRow& row) const {
  const auto found = std::ranges::find_if(point_->functions, [&](const model::FunctionWork& work) {
    return work.function == row.name && model::without_folders(work.object) == row.where &&
           work.loop == row.loop;
  });
  if (found == point_->functions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - point_->functions.begin());
}

double ProfileTimes::samples_of(const model::ProfileRow& row) const {
  const auto at = function_of(row);
  return at ? point_->functions[*at].samples : 0;
}

void ProfileTimes::sort(std::vector<model::ProfileRow>& rows) const {
  if (!point_ || point_->samples.all <= 0) return;
  sort_down_by(rows, [&](const auto& row) { return samples_of(row); });
}

Table ProfileTimes::table(std::size_t most) const {
  Table table;
  if (point_) table = function_times(*point_, reading_, most);
  if (!table.empty()) table.title = "Time of functions";
  if (!point_ && !other_build_.empty())
    table.notes.push_back(fmt::format("The times of the point '{}' are of another build.", other_build_));
  return table;
}

void ProfileTimes::add_fields(const model::ProfileRow& row, Json& out) const {
  if (!point_) return;
  if (const auto at = function_of(row))
    add_time_to_json(*point_, point_->functions[*at], function_reading(reading_, *at), out);
}

}  // namespace gable::cli
