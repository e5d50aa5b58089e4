#include <filesystem>

#include "base/error.hpp"
#include "base/whole_file.hpp"
#include "bench/visit/utc.hpp"
#include "cli/output_file.hpp"
#include "cli/profile/profile.hpp"
#include "cli/text/message.hpp"
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
  points::ProfileRun run = points::record_profile({arguments.command, {}, true}, arguments.by_line);
  run.profile.started = started;
  write_whole(path, model::profile_to_json(run.profile));
  if (!run.note.empty()) tell(run.note);
  ProfileShowArguments show;
  show.file = path;
  if (arguments.by_line) show.by = "line";
  show_profile(show);
  if (run.status != 0) throw Error::program("", run.status);
}

}  // namespace gable::cli
