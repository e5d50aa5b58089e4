#include "cli/predict/point.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "cli/points_file.hpp"
#include "cli/predict/place.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/text/columns.hpp"
#include "model/points/move.hpp"

namespace gable::cli {
namespace {

model::Move move_to(const Background& background, const model::Point& point, const std::string& to,
                    const std::string& folder) {
  if (to == "fast" || to == "slow")
    return model::move_to_extreme(background.roofs, point, to == "fast", background.hybrid);
  model::Point moved = point;
  place_data(folder, recorded_machine(folder).value_or(RecordedMachine()), {"--to", to}, moved);
  return model::move_point(background.roofs, point, model::node_shares(moved), background.hybrid);
}

// A mix of nodes without a model is known to lie between two bounds alone, as gable point list says it too.
std::string roof_text(const model::Limit& limit) {
  if (!limit.fitted)
    return fmt::format(
        "{} (between {:.4g} GB/s, nothing overlaps, and {:.4g} GB/s, everything does: no hybrid model was "
        "fitted for this mix)",
        limit.name, limit.lo, limit.hi);
  return fmt::format("{} ({:.4g} GB/s{})", limit.name, limit.value, limit.interval ? "" : ", no interval");
}

std::string factor_text(const model::Point& point, const model::Move& move) {
  if (move.stays) return "  its data is already there: nothing changes";
  if (!move.latency_known)
    return fmt::format(
        "  not known how fast: memory {} bind it, so it may wait for latency, and the idle latencies of "
        "where "
        "its data lies and would lie are not known",
        move.may_be_bound ? "may" : "does not");
  const std::string times =
      fmt::format("{:.2f} to {:.2f} times as fast, {:.4g} to {:.4g} s instead of {:.4g} s", move.factor_lo,
                  move.factor_hi, move.seconds_lo, move.seconds_hi, point.seconds);
  if (!move.memory_bound) {
    return fmt::format("  {}: memory {} bind it, so the share of its time that memory takes is not known",
                       times, move.may_be_bound ? "may" : "does not");
  }
  if (!move.exact) return fmt::format("  {}", times);
  const std::string factor = fmt::format("  {:.2f} times as fast", move.factor);
  if (!move.interval)
    return fmt::format(
        "{} (no interval: the uncertainty of the roofs is not known): {:.4g} s instead of {:.4g} s", factor,
        move.seconds, point.seconds);
  return fmt::format("{} ({:.2f} to {:.2f}): {:.4g} s instead of {:.4g} s ({:.4g} to {:.4g} s)", factor,
                     move.factor_lo, move.factor_hi, move.seconds, point.seconds, move.seconds_lo,
                     move.seconds_hi);
}

std::string text_of(const model::Point& point, const model::Move& move) {
  std::string text =
      folded(fmt::format("{}: from {} to {}", point.name, roof_text(move.from), roof_text(move.to)), 2);
  text += folded(factor_text(point, move), 4);
  if (!move.stopped_by.empty())
    text += folded(fmt::format("  {} limits it before the memory does", move.stopped_by), 4);
  return text;
}

std::string json_of(const model::Point& point, const model::Move& move) {
  Json out = Json::object();
  out["schema"] = model::schema;
  out["point"] = point.name;
  const auto known = [](bool is, double value) { return is ? Json(value) : Json(nullptr); };
  for (const auto& [name, limit] : {std::pair("from", &move.from), std::pair("to", &move.to)}) {
    out[name] = limit->name;
    out[fmt::format("{}_gb_per_s", name)] = known(limit->fitted, limit->value);
    out[fmt::format("{}_gb_per_s_lo", name)] = known(limit->interval, limit->lo);
    out[fmt::format("{}_gb_per_s_hi", name)] = known(limit->interval, limit->hi);
  }
  out["memory_bound"] = move.may_be_bound ? Json(nullptr) : Json(move.memory_bound);
  out["stays"] = move.stays;
  const bool interval = move.interval && move.latency_known;
  out["factor"] = known(move.exact, move.factor);
  out["factor_lo"] = known(interval, move.factor_lo);
  out["factor_hi"] = known(interval, move.factor_hi);
  out["seconds"] = known(move.exact, move.seconds);
  out["seconds_lo"] = known(interval, move.seconds_lo);
  out["seconds_hi"] = known(interval, move.seconds_hi);
  out["stopped_by"] = move.stopped_by;
  return json_text(out) + "\n";
}

}  // namespace

void predict_point(const std::string& folder, const std::string& name, const std::string& to, bool json) {
  const Background background = background_of(folder);
  const std::vector<model::Point> points = points_of(folder);
  const model::Point& point = point_named(points, name, folder);
  const model::Move move = move_to(background, point, to, folder);
  fmt::print("{}", json ? json_of(point, move) : text_of(point, move));
}

}  // namespace gable::cli
