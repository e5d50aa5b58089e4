#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "cli/predict/elsewhere.hpp"

namespace gable::cli {
namespace {

using model::Forecast;

Json shares_json(const std::vector<Forecast::Share>& shares) {
  Json out = Json::array();
  for (const Forecast::Share& share : shares)
    out.push_back({{"what", share.what}, {"seconds", share.seconds}});
  return out;
}

constexpr std::array group_names = {"core", "transfer", "random", "chain", "flush", "cores", "wait", "walks"};

// What each function needs by itself, in seconds.
Json needs_json(const std::vector<model::PartNeeds>& parts) {
  Json out = Json::array();
  for (const model::PartNeeds& part : parts) {
    Json needs = Json::array();
    for (const model::NeedTime& need : part.needs) {
      const auto [least, most] = std::ranges::minmax(need.seconds);
      needs.push_back({{"what", need.what},
                       {"group", group_names[static_cast<std::size_t>(need.group)]},
                       {"seconds", need.seconds.front()},
                       {"seconds_lo", least},
                       {"seconds_hi", most}});
    }
    out.push_back({{"function", part.name}, {"needs", std::move(needs)}});
  }
  return out;
}

Json place_json(const model::Setting& setting) {
  const model::Point& like = setting.like;
  const bool known = setting.roofs != nullptr;  // what the machine lacks may leave no setting
  Json out = {{"cluster", known && like.cluster >= 0 ? Json(like.cluster) : Json(nullptr)},
              {"threads", known && like.threads > 0 ? Json(like.threads) : Json(nullptr)},
              {"nodes", Json::object()},
              {"huge_pages_percent", nullptr}};
  for (const auto& [node, share] : model::node_shares(like)) out["nodes"][std::to_string(node)] = share;
  if (like.huge_pages_percent) out["huge_pages_percent"] = *like.huge_pages_percent;
  for (const model::PlacedObject& object : setting.objects) out["objects"][object.name] = object.node;
  return out;
}

Json row_json(const PredictedRow& row, bool timed) {
  const Forecast& forecast = row.forecast;
  const bool ok = forecast.status == model::Status::ok;
  const auto known = [](bool is, double value) { return is ? Json(value) : Json(nullptr); };
  Json out = {{"machine", row.machine}};
  out.update(place_json(row.setting));
  out["seconds"] = known(ok, forecast.seconds);
  out["seconds_lo"] = known(ok, forecast.lo);
  out["seconds_hi"] = known(ok, forecast.hi);
  out["ratio"] = known(ok && timed, forecast.ratio);
  out["ratio_lo"] = known(ok && timed, forecast.ratio_lo);
  out["ratio_hi"] = known(ok && timed, forecast.ratio_hi);
  out["explained_percent"] = known(ok && timed, forecast.explained_percent);
  out["change_percent"] = known(ok && timed, forecast.change_percent);
  out["doubts"] = Json::array();
  for (const Forecast::Doubt& doubt : forecast.doubts)
    out["doubts"].push_back(
        {{"what", doubt.what}, {"lo", std::exp(-doubt.down)}, {"hi", std::exp(doubt.up)}});
  out["binds"] = shares_json(forecast.binds);
  out["functions"] = shares_json(forecast.functions);
  out["needs"] = needs_json(forecast.parts);
  out["missing"] = model::sentences(forecast.missing);
  out["missing_percent"] = known(ok, forecast.missing_percent);
  out["reason"] = forecast.reason;
  out["notes"] = Json::array();
  for (const auto* notes : {&forecast.notes, &row.notes}) {
    for (const std::string& note : *notes) out["notes"].push_back(note);
  }
  return out;
}

}  // namespace

std::string elsewhere_json(const PredictedRows& rows) {
  Json out = {{"schema", model::schema}, {"program", rows.program}, {"profile", rows.source}};
  out["here"] = nullptr;
  if (rows.here) {
    out["here"] = {{"machine", rows.here_name}};
    out["here"].update(place_json(*rows.here));
    out["here"]["seconds"] = rows.here->like.seconds;
  }
  out["predictions"] = Json::array();
  for (const PredictedRow& row : rows.rows)
    out["predictions"].push_back(row_json(row, rows.here.has_value()));
  out["notes"] = rows.notes;
  return json_text(out) + "\n";
}

}  // namespace gable::cli
