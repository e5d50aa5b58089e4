#include "cli/point/run/managed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/installation.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/temporary_folder.hpp"
#include "base/whole_file.hpp"
#include "cli/point/point.hpp"
#include "cli/text/message.hpp"
#include "kmaf/live/run.hpp"

namespace gable::cli {

namespace {

// What the reports of the runs say.
struct Managed {
  bool all = true;                 // every run, to its end
  std::vector<std::string> notes;  // each once

  // Returns the program's seconds.
  double add(const nlohmann::json& report) {
    all = all && report.at("managed").get<bool>();
    for (const auto& note : report.at("notes")) {
      add_once(notes, note.get<std::string>());
    }
    return report.at("seconds").get<double>();
  }
};

}  // namespace

std::vector<std::string> managed_policies() {
  std::vector<std::string> names;
  for (const auto& entry : kmaf::live::policies()) {
    const std::string name = entry.name;
    if (name != "os" && name != "oracle") names.push_back(name);
  }
  return names;
}

std::vector<model::Point> run_managed_points(RunPlan plan, const model::Point& unmanaged,
                                             const std::string& policy, RepeatedInput& input) {
  const TemporaryFolder folder("managed");
  const std::string report = folder.path / "report.json";
  std::vector<std::string> manager = {own_program(), "kmaf",     "run",  "--policy", policy,
                                      "--json",      "--report", report, "--"};
  manager.insert(manager.end(), plan.wrapper.begin(), plan.wrapper.end());
  plan.wrapper = manager;
  plan.again = true;
  Managed managed;
  plan.program_seconds = [&] { return managed.add(json_from(read_whole(report))); };
  model::Point point = unmanaged;
  point.name = managed_name(unmanaged.name, policy);
  point.from = unmanaged.name;
  point.notes.push_back(fmt::format("run by `gable kmaf run --policy {}`, which is not counted", policy));
  tell(point.name);
  std::vector<model::Point> made = run_points(plan, point, input).points;
  if (!managed.all) {
    tell(fmt::format("no point '{}', since not every run was managed to its end: {}", point.name,
                     fmt::join(managed.notes, "; ")));
    return {};
  }
  for (model::Point& each : made)
    each.notes.insert(each.notes.end(), managed.notes.begin(), managed.notes.end());
  return made;
}

}  // namespace gable::cli
