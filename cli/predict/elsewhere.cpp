#include "cli/predict/elsewhere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>

#include "base/error.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/profile/caches.hpp"
#include "model/json/programs/profile.hpp"
#include "model/points/move.hpp"
#include "model/points/threads.hpp"
#include "model/records/note.hpp"
#include "plots/charts/charts.hpp"
#include "points/profile/build_id.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

model::Profile read_profile(const std::string& path) {
  model::Profile profile = model::profile_from_json(named_file(path), path);
  if (profile.uses.empty()) throw Error::format(path, "\"uses\" is empty: the program used no memory");
  if (profile.functions.empty())
    throw Error::format(path, "\"functions\" is empty: what the program executed is not known");
  return profile;
}

// The point's profile, which must be of the same program. Throws Error::format.
model::Profile profile_of(const std::string& folder, const model::Point& point) {
  const std::string path = profile_path(folder, point.profile);
  model::Profile profile = read_profile(path);
  if (!point.build.empty() && profile.build != point.build)
    throw Error::format(
        path, fmt::format("\"build\" is {}, and the point '{}' is of the build {}: it is the "
                          "profile of another program or version; run the point again",
                          profile.build.empty() ? "empty" : profile.build, point.name, point.build));
  double bytes = 0;
  for (const model::FunctionWork& work : profile.functions) bytes += work.load_bytes + work.store_bytes;
  constexpr double tolerance = 1.05;
  if (point.load_bytes + point.store_bytes > tolerance * bytes)
    throw Error::format(
        path, fmt::format("\"functions\" load and store {:.4g} bytes, and the point '{}' has {:.4g}: it is "
                          "the profile of another program or run",
                          bytes, point.name, point.load_bytes + point.store_bytes));
  return profile;
}

// Whether the program has changed since, as far as it is still there.
std::vector<std::string> remarks_on_profile(const model::Profile& profile) {
  std::vector<std::string> notes;
  if (!profile.command.empty() && !profile.build.empty() && fs::is_regular_file(profile.command.front())) {
    const std::string now = points::build_id(profile.command.front());
    if (!now.empty() && now != profile.build)
      notes.push_back(fmt::format(
          "{} is another build now ({}) than the profile's (\"build\": {}): the prediction is of the old one",
          profile.command.front(), now.substr(0, 12), profile.build.substr(0, 12)));
  }
  if (profile.lines_followed < 1) {
    const double error = 100 * model::share_error(profile);
    if (error >= 1)
      notes.push_back(fmt::format(
          "only a part of the program's lines was followed: bytes are uncertain by {}", percent_text(error)));
  }
  if (profile.processes > 1)
    notes.push_back(
        fmt::format("it is of {} processes, each as if it had its caches to itself", profile.processes));
  return notes;
}

model::Program program_of_profile(const model::Profile& profile) {
  return {[&profile](const std::vector<model::ProfileCache>& caches, const model::Setting& setting) {
            return model::work_parts(profile, caches, setting.tlb, setting.like,
                                     model::object_nodes(setting));
          },
          profile.threads};
}

// Of a point with bytes by level alone: its own caches.
model::Program program_of_point(const model::Point& point) {
  return {[&point](const std::vector<model::ProfileCache>&, const model::Setting& setting) {
            const model::Point& like = setting.like;
            model::WorkParts parts = model::work_parts(point);
            for (model::WorkPart& part : parts) {
              part.point.node_bytes = like.node_bytes;
              part.point.policy = like.policy;
              part.point.access = like.access;
              part.point.access_source = like.access_source;
              part.point.access_samples = like.access_samples;
              part.point.huge_pages_percent = like.huge_pages_percent;
            }
            return parts;
          },
          point.threads};
}

// "fast" and "slow" as a memory of the point's machine.
std::string named_place(const std::string& place, const PredictMachine& machine, const model::Point& point) {
  if (place != "fast" && place != "slow") return place;
  const model::Limit to =
      model::extreme_memory(machine.background.roofs, point, place == "fast", machine.background.hybrid);
  if (point.alone && to.node >= 0) return fmt::format("node:{}", to.node);
  const auto tier = to.tier.single();
  return tier ? std::string(model::name_of(*tier)) : fmt::format("node:{}", to.node);
}

std::vector<std::string> remarks_on_machine(const PredictMachine& machine, const model::Profile* profile,
                                            const model::Setting& setting) {
  std::vector<std::string> notes;
  if (profile != nullptr && !machine.architecture.empty() && !profile->architecture.empty() &&
      machine.architecture != profile->architecture)
    notes.push_back(
        fmt::format("it is {}, and the profile of {}: instructions, vectors and lines of caches differ there",
                    machine.architecture, profile->architecture));
  if (setting.caches.size() == 1)
    notes.push_back(
        fmt::format("its machine.json has {} alone: what larger caches hold counts as bytes of the memory",
                    setting.caches.front().level));
  for (const model::ProfileCache& cache : setting.caches) {
    if (cache.stream_bytes > 0)
      notes.push_back(fmt::format("its ladder shows these usable sizes by latency and by bandwidth: {}",
                                  usable_size_text(cache)));
  }
  const int threads = setting.like.threads;
  if (profile != nullptr && profile->threads == 1 && threads > 1)
    notes.push_back(
        model::sentence({model::NoteCode::profile_of_one_thread, {static_cast<double>(threads)}}));
  if (profile != nullptr && profile->threads != threads && profile->threads > 1)
    notes.push_back(
        fmt::format("the profile has {}: how {} share its data is not known, and widens the interval",
                    count_text(profile->threads, "thread"), count_text(threads, "thread")));
  if (setting.like.cores > 0 && setting.like.cores < threads)
    notes.push_back(
        fmt::format("{} share {}", count_text(threads, "thread"), count_text(setting.like.cores, "core")));
  return notes;
}

class Elsewhere {
 public:
  explicit Elsewhere(const ElsewhereArguments& arguments) : arguments_(arguments) {}

  PredictedRows take() {
    if (arguments_.point.empty()) {
      take_profile();
    } else {
      take_point();
    }
    take_objects();
    for (const std::string& machine : arguments_.machines) add_machine(machine);
    for (const std::string& place : arguments_.places) add_place(place);
    predict_rows();
    return std::move(out_);
  }

 private:
  void take_objects() {
    if (arguments_.use.objects.empty()) return;
    if (!profile_)
      throw Error::usage(point_->name, "no profile is kept of this point, so its objects cannot be placed");
    objects_ = placed_objects(*profile_, arguments_.use.objects);
  }

  void take_profile() {
    profile_ = read_profile(arguments_.profile);
    out_.program = out_.source = arguments_.profile;
    out_.notes = remarks_on_profile(*profile_);
    like_.name = fs::path(arguments_.profile).filename().string();
    like_.threads = profile_->threads;
  }

  void take_point() {
    const std::string folder = machine_folder(arguments_.folder);
    point_ = point_named(points_of(folder), arguments_.point, folder);
    out_.program = point_->name;
    if (!can_be_predicted(*point_))
      throw Error::usage(
          point_->name,
          "no profile is kept of this point; `gable point run` with the counter profile keeps one");
    if (!point_->profile.empty()) {
      profile_ = profile_of(folder, *point_);
      model::complete_arithmetic(*profile_, *point_);
      out_.source = profile_path(folder, point_->profile);
      out_.notes = remarks_on_profile(*profile_);
    } else if (!arguments_.machines.empty()) {
      throw Error::usage(point_->name,
                         "no profile is kept of this point, so its bytes on another machine are not known");
    }
    like_ = *point_;
    if (like_.threads == 0) like_.threads = profile_ ? profile_->threads : 1;
    machines_.push_back(predict_machine(folder));
    out_.here = setting_on(machines_.back(), like_, {}, true);
    out_.here_name = machines_.back().name;
  }

  model::Program program() const {
    return profile_ ? program_of_profile(*profile_) : program_of_point(*point_);
  }

  void add(const PredictMachine& machine, const std::string& name, const ProgramUse& use, bool is_here) {
    PredictedRow row;
    row.machine = name;
    try {
      row.setting = setting_on(machine, like_, use, is_here);
      row.setting.objects = objects_;
    } catch (const Error& error) {  // one machine that lacks something does not spoil the others
      if (error.kind != Error::Kind::unavailable) throw;
      row.forecast.status = model::Status::skipped;
      row.forecast.reason = error.what();
      out_.rows.push_back(std::move(row));
      return;
    }
    row.notes = remarks_on_machine(machine, profile_ ? &*profile_ : nullptr, row.setting);
    out_.rows.push_back(std::move(row));
  }

  // Those that have a setting.
  void predict_rows() {
    std::vector<const model::Setting*> settings;
    for (const PredictedRow& row : out_.rows) {
      if (row.forecast.status == model::Status::ok) settings.push_back(&row.setting);
    }
    std::vector<model::Forecast> found =
        model::forecasts(program(), settings, out_.here ? &*out_.here : nullptr);
    auto next = found.begin();
    for (PredictedRow& row : out_.rows) {
      if (row.forecast.status == model::Status::ok) row.forecast = std::move(*next++);
    }
  }

  void add_machine(const std::string& machine) {
    machines_.push_back(predict_machine(machine_folder(machine)));
    const bool is_here = out_.here && fs::exists(out_.here->machine) &&
                         fs::equivalent(machines_.back().folder, out_.here->machine);
    if (is_here) machines_.back().folder = out_.here->machine;
    add(machines_.back(), machines_.back().name, arguments_.use, is_here);
  }

  void add_place(const std::string& place) {
    ProgramUse use = arguments_.use;
    use.option = "--to";
    use.memory = named_place(place, machines_.front(), *point_);
    add(machines_.front(), fmt::format("{}, {}", machines_.front().name, use.memory), use, true);
  }

  const ElsewhereArguments& arguments_;
  std::deque<PredictMachine> machines_;  // settings refer to them
  std::optional<model::Profile> profile_;
  std::optional<model::Point> point_;
  std::vector<model::PlacedObject> objects_;
  model::Point like_;
  PredictedRows out_;
};

charts::Chart chart_of(const PredictedRows& rows) {
  std::vector<charts::PredictedTime> times;
  for (const PredictedRow& row : rows.rows) times.push_back({row.machine, &row.forecast});
  std::optional<charts::MeasuredTime> here;
  if (rows.here) here = {rows.here_name, rows.here->like.seconds};
  const std::string program = rows.here ? rows.program : fs::path(rows.program).filename().string();
  return charts::predicted_times_chart(program, times, here);
}

}  // namespace

bool can_be_predicted(const model::Point& point) {
  return !point.profile.empty() || !point.levels.empty();
}

ElsewherePage elsewhere_page(const ElsewhereArguments& arguments) {
  Elsewhere elsewhere(arguments);  // which the rows refer to
  const PredictedRows rows = elsewhere.take();
  ElsewherePage page{elsewhere_table(rows), chart_of(rows)};
  page.table.title = rows.program + ": " + page.table.title;
  page.table.notes = elsewhere_notes(rows);
  page.chart.name += "-" + rows.program;
  return page;
}

void predict_elsewhere(const ElsewhereArguments& arguments) {
  if (arguments.machines.empty() && arguments.places.empty())
    throw Error::usage("predict: on which machine? Name folders of recorded machines or published names");
  Elsewhere elsewhere(arguments);  // which the rows refer to
  const PredictedRows rows = elsewhere.take();
  if (rows.rows.size() == 1 && rows.rows.front().forecast.status != model::Status::ok)
    throw Error::usage("no time can be predicted for " + rows.rows.front().machine,
                       rows.rows.front().forecast.reason);
  const PredictOutput& output = arguments.output;
  std::fputs((output.json ? elsewhere_json(rows) : elsewhere_text(rows, output.functions)).c_str(), stdout);
  if (!output.folder.empty())
    draw_charts({chart_of(rows)}, output.folder, output.pictures, output.json ? stderr : stdout);
}

}  // namespace gable::cli
