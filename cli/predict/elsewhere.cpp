#include "cli/predict/elsewhere.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "model/points/access.hpp"
#include "model/points/extreme_memory.hpp"
#include "model/predict/point_program.hpp"
#include "plots/charts/charts.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

model::Program program_of_profile(const std::shared_ptr<const model::Profile>& profile) {
  return {[profile](const std::vector<model::ProfileCache>& caches, const model::Setting& setting) {
            return model::work_parts(*profile, caches, setting.tlb, setting.like,
                                     model::object_nodes(setting));
          },
          profile->threads,
          {},
          std::max(profile->busiest_thread, profile->span),
          profile->serial};
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

class Elsewhere {
 public:
  Elsewhere(ElsewhereArguments arguments, ProfileFiles& files)
      : arguments_(std::move(arguments)), files_(files) {}

  PredictedRows take() {
    if (arguments_.point.empty()) {
      take_profile();
      return predicted();
    }
    const std::string folder = machine_folder(arguments_.folder);
    const model::Point point = point_named(points_of(folder), arguments_.point, folder);
    return take(
        point.profile.empty() ? predict_machine(folder, background_of(folder)) : predict_machine(folder),
        point);
  }

  /// Of the point, which was timed on this machine.
  PredictedRows take(PredictMachine machine, const model::Point& point) {
    take_point(std::move(machine), point);
    return predicted();
  }

 private:
  PredictedRows predicted() {
    take_objects();
    for (const std::string& machine : arguments_.machines) add_machine(machine);
    for (const std::string& place : arguments_.places) add_place(place);
    predict_rows();
    return std::move(out_);
  }

  void take_objects() {
    if (arguments_.use.objects.empty()) return;
    if (!profile_)
      throw Error::usage(point_->name, "no profile is kept of this point, so its objects cannot be placed");
    objects_ = placed_objects(*profile_, arguments_.use.objects);
  }

  void take_profile() {
    profile_ = files_.read(arguments_.profile);
    program_ = program_of_profile(profile_);
    out_.program = out_.source = arguments_.profile;
    out_.notes = remarks_on_profile(*profile_);
    if (const std::string note = remark_on_kernel(*profile_); !note.empty()) out_.notes.push_back(note);
    like_.name = fs::path(arguments_.profile).filename().string();
    like_.threads = profile_->threads;
  }

  void take_point(PredictMachine machine, const model::Point& point) {
    point_ = point;
    if (model::has_few_samples(*point_)) model::forget_access(*point_);
    like_ = *point_;
    out_.program = point_->name;
    if (point_->profile.empty()) {
      refuse_without_profile();
    } else {
      take_profile_of_point(machine.folder);
    }
    machines_.push_back(std::move(machine));
    out_.here = setting_on(machines_.back(), like_, use(), true);
    out_.here_name = machines_.back().name;
    const Background& background = machines_.back().background;
    if (model::read_point(background.roofs, *point_, background.hybrid).contradictory)
      out_.notes.push_back(
          "its counts, its time and the roofs here are not from the same machine and threads, or a roof is "
          "out of date: the roofs say more than its time");
    if (profile_) return;
    auto [program, note] = model::program_of_point(*out_.here, *point_);
    program_ = std::move(program);
    if (!note.empty()) out_.notes.push_back(note);
  }

  void take_profile_of_point(const std::string& folder) {
    profile_ = files_.of_point(folder, *point_);
    program_ = program_of_profile(profile_);
    out_.source = profile_path(folder, point_->profile);
    out_.notes = remarks_on_profile(*profile_);
    if (like_.threads == 0) like_.threads = profile_->threads;
  }

  // Other machines have other caches, and other threads other parts of the data.
  void refuse_without_profile() const {
    const bool elsewhere = !arguments_.machines.empty();
    if (!elsewhere && arguments_.use.threads == 0) return;
    throw Error::usage(fmt::format(
        "{}: no profile is kept of the point '{}', so that only its data can be moved: give --to node:N, "
        "fast, slow, or parts as in 0=60,1=40; `gable point run` keeps a profile",
        elsewhere ? "--to " + arguments_.machines.front()
                  : fmt::format("--threads {}", arguments_.use.threads),
        point_->name));
  }

  // How the program uses the machine where it was timed.
  ProgramUse use() const {
    ProgramUse own;
    own.needs_caches = profile_ != nullptr;
    return own;
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
    if (profile_) row.notes = remarks_on_machine(machine, *profile_, row.setting);
    if (std::string note = remark_on_pages(machine, use); !note.empty()) row.notes.push_back(std::move(note));
    out_.rows.push_back(std::move(row));
  }

  // Those that have a setting.
  void predict_rows() {
    std::vector<const model::Setting*> settings;
    for (const PredictedRow& row : out_.rows) {
      if (row.forecast.status == model::Status::ok) settings.push_back(&row.setting);
    }
    std::vector<model::Forecast> found =
        model::forecasts(program_, settings, out_.here ? &*out_.here : nullptr);
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
    use.needs_caches = profile_ != nullptr;
    add(machines_.front(), fmt::format("{}, {}", machines_.front().name, use.memory), use, true);
  }

  ElsewhereArguments arguments_;
  std::deque<PredictMachine> machines_;  // settings refer to them
  ProfileFiles& files_;
  std::shared_ptr<const model::Profile> profile_;
  model::Program program_;
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

// Whether the program would run exactly as it did when it was timed.
bool is_as_timed(const model::Setting& there, const model::Setting& here) {
  const model::Point &after = there.like, &before = here.like;
  return there.machine == here.machine && after.cluster == before.cluster &&
         after.threads == before.threads && after.huge_pages_percent == before.huge_pages_percent;
}

}  // namespace

PredictedRows predict_places(const PredictMachine& machine, const model::Point& point,
                             const std::vector<std::string>& places, ProfileFiles& files) {
  ElsewhereArguments arguments;
  arguments.point = point.name;
  arguments.places = places;
  return Elsewhere(arguments, files).take(machine, point);
}

ElsewherePage elsewhere_page(const ElsewhereArguments& arguments, ProfileFiles& files) {
  Elsewhere elsewhere(arguments, files);  // which the rows refer to
  const PredictedRows rows = elsewhere.take();
  ElsewherePage page{elsewhere_table(rows), chart_of(rows)};
  page.table.title = rows.program + ": " + page.table.title;
  page.table.notes = elsewhere_notes(rows);
  page.chart.name += "-" + rows.program;
  return page;
}

PredictedOn predicted_on(const ElsewhereArguments& arguments, ProfileFiles& files) {
  Elsewhere elsewhere(arguments, files);  // which the rows refer to
  const PredictedRows rows = elsewhere.take();
  PredictedOn found{rows.rows.front(), false, {}, 0};
  found.setting.roofs = nullptr;
  found.notes = elsewhere_notes(rows);
  if (!rows.here) return found;
  found.is_measured = is_as_timed(found.setting, *rows.here);
  found.timed_on = rows.here_name;
  found.timed_seconds = rows.here->like.seconds;
  return found;
}

void predict_elsewhere(const ElsewhereArguments& arguments) {
  if (arguments.machines.empty() && arguments.places.empty())
    throw Error::usage("predict: on which machine? Name folders of recorded machines or published names");
  ProfileFiles files;
  Elsewhere elsewhere(arguments, files);  // which the rows refer to
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
