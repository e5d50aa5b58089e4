#include "cli/profile/level_times.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/profile/shown.hpp"
#include "cli/text/columns.hpp"
#include "model/records/short_function.hpp"

namespace gable::cli {
namespace {

using model::MachinePart;

ElsewhereArguments to_predict(const ProfileShowArguments& arguments, const ProfilePoint& of) {
  ElsewhereArguments wanted;
  if (of.point) {
    wanted.folder = of.folder;
    wanted.point = of.point->name;
  } else {
    wanted.profile = arguments.file;
  }
  wanted.machines = {arguments.machine};
  wanted.use.cluster = arguments.cluster;
  wanted.use.huge_pages_percent = arguments.huge_pages;
  return wanted;
}

// "62 %", or its range if its ends are far apart.
std::string share_text(const MachinePart& part, double of) {
  constexpr double far_apart = 2, little = 0.005;
  if (part.hi <= 0) return "-";
  if (part.hi <= far_apart * part.lo || part.hi < little * of) return short_percent(part.seconds / of);
  return fmt::format("{:.0f} to {}", 100 * part.lo / of, percent_text(100 * part.hi / of));
}

bool is_shown(const MachinePart& part, double of) {
  constexpr double worth_a_row = 0.01;
  return part.is_level || part.hi >= worth_a_row * of || part.binds >= worth_a_row * of;
}

Row cells_of(const MachinePart& part, double of) {
  return {part.what, part.hi > 0 ? duration_text(part.seconds) : "-", share_text(part, of),
          part.binds > 0 ? short_percent(part.binds / of) : "-",
          part.function.empty() ? "" : model::short_function(part.function)};
}

}  // namespace

LevelTimes::LevelTimes(const ProfileShowArguments& arguments, const ProfilePoint& of, ProfileFiles& files)
    : point_(of.point ? of.point->name : ""),
      is_asked_for_(!arguments.machine.empty() || arguments.by == "level") {
  if (arguments.machine.empty()) {
    reason_ = "name a recorded machine with `--machine`";
    return;
  }
  try {
    on_ = predicted_on(to_predict(arguments, of), files);
  } catch (const Error& error) {  // a profile can be shown without a time
    reason_ = error.what();
    return;
  }
  if (on_->forecast.status == model::Status::ok) {
    parts_ = machine_parts(on_->forecast);
  } else {
    reason_ = on_->machine + ": " + on_->forecast.reason;
  }
}

std::optional<ProfileMachine> LevelTimes::machine(const std::string& folder) const {
  if (!on_ || on_->setting.caches.empty()) return std::nullopt;
  return ProfileMachine{folder, on_->setting.caches, on_->setting.tlb, on_->setting.claimed};
}

std::string LevelTimes::time_text() const {
  const model::Forecast& forecast = on_->forecast;
  const std::string use = joined(words_of(on_->setting), std::identity());
  if (on_->is_measured)
    return fmt::format("{} on {} ({})", duration_text(on_->timed_seconds), on_->machine, use);
  const std::string from =
      on_->timed_on.empty() ? "from the profile alone"
                            : fmt::format("from {} on {}", duration_text(on_->timed_seconds), on_->timed_on);
  return fmt::format("predicted {}: {} (95 %: {} to {}) on {} ({})", from, duration_text(forecast.seconds),
                     duration_text(forecast.lo), duration_text(forecast.hi), on_->machine, use);
}

Table LevelTimes::table(bool all) const {
  Table table;
  if (!reason_.empty() && is_asked_for_)
    table.notes.push_back("What each level takes of the time is not known: " + reason_ + ".");
  if (parts_.empty()) return table;
  const double of = on_->forecast.seconds;
  table.title = fmt::format("{}{}, {}", on_->is_measured ? "Measured time" : "Time",
                            point_.empty() ? "" : " of " + point_, time_text());
  table.columns = columns({"part of the machine"}, {"by itself", "of the time", "binds"}, {"most of it in"});
  std::size_t left = 0;
  for (const MachinePart& part : parts_) {
    if (all || is_shown(part, of)) {
      table.rows.push_back(cells_of(part, of));
    } else {
      ++left;
    }
  }
  if (left > 0) table.notes.push_back(fmt::format("{} more with `--all`", left));
  for (const std::string& note : on_->notes) table.notes.push_back(note);
  return table;
}

Json LevelTimes::json() const {
  Json out = {{"machine", nullptr},    {"measured", nullptr},   {"seconds", nullptr},
              {"seconds_lo", nullptr}, {"seconds_hi", nullptr}, {"parts", Json::array()},
              {"reason", reason_},     {"notes", Json::array()}};
  if (!on_) return out;
  out["machine"] = on_->machine;
  out["notes"] = on_->notes;
  if (parts_.empty()) return out;
  const model::Forecast& forecast = on_->forecast;
  out["measured"] = on_->is_measured;
  out["seconds"] = forecast.seconds;
  out["seconds_lo"] = forecast.lo;
  out["seconds_hi"] = forecast.hi;
  for (const MachinePart& part : parts_)
    out["parts"].push_back({{"what", part.what},
                            {"seconds", part.seconds},
                            {"need", part.seconds / forecast.seconds},
                            {"need_lo", part.lo / forecast.seconds},
                            {"need_hi", part.hi / forecast.seconds},
                            {"binds", part.binds / forecast.seconds},
                            {"function", part.function}});
  return out;
}

Table LevelTimes::csv() const {
  Table table{"", columns({"what", "function"}, {"seconds", "need", "need_lo", "need_hi", "binds"})};
  for (const MachinePart& part : parts_) {
    const double of = on_->forecast.seconds;
    Row cells = {part.what, part.function};
    for (const double figure : {part.seconds, part.seconds / of, part.lo / of, part.hi / of, part.binds / of})
      cells.emplace_back(fmt::format("{:.6g}", figure));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace gable::cli
