#include "cli/show/json.hpp"

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "cli/show/shown_roofs.hpp"
#include "model/json/c2c/c2c.hpp"
#include "model/json/case.hpp"
#include "model/json/hybrid.hpp"
#include "model/json/placed.hpp"
#include "model/json/points.hpp"
#include "model/json/roof.hpp"
#include "model/json/tiers.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {
namespace {

Json roofs_json(const std::vector<model::Roof>& roofs) {
  Json out = Json::array();
  for (const model::Roof& roof : roofs) {
    out.push_back(model::roof_to_json(roof));
    if (!model::has_interval(roof)) out.back()["lo"] = out.back()["hi"] = nullptr;
  }
  return out;
}

Json lines_json(const ShownFolder& shown) {
  Json out = Json::array();
  for (const ShownLine& line : lines_of(shown))
    out.push_back({{"name", line.words},
                   {"unit", line.unit},
                   {"figures", roofs_json(line.figures)},
                   {"latencies", roofs_json(line.latencies)}});
  return out;
}

Json missing_json(const ShownFolder& shown) {
  Json out = Json::array();
  for (const Missing& missing : shown.missing)
    out.push_back({{"status", model::name_of(missing.status)},
                   {"count", missing.cases.size()},
                   {"reason", missing.reason},
                   {"cases", missing.cases}});
  return out;
}

Json placed_json(const std::vector<model::Placed>& placed) {
  Json out = Json::array();
  for (const model::Placed& each : placed) out.push_back(json_from(model::placed_to_line(each)));
  return out;
}

}  // namespace

std::string shown_json(const ShownFolder& shown, bool all) {
  const ShownMatrix matrix = matrix_of(shown);
  Json out = Json::object();
  out["schema"] = model::schema;
  out["name"] = shown.name;
  out["cpu_model"] = shown.machine ? shown.machine->cpu_model : "";
  out["remarks"] = shown.remarks;
  out["matrix"] = {{"bandwidth", roofs_json(matrix.bandwidth)}, {"latency", roofs_json(matrix.latency)}};
  out["lines"] = lines_json(shown);
  if (!shown.c2c.empty()) out["c2c"] = json_from(model::c2c_figures_to_json(shown.c2c));
  out["missing"] = missing_json(shown);
  out["not_published"] = shown.machine ? shown.machine->not_published : std::vector<std::string>();
  if (all) {
    out["roofs"] = json_from(model::roofs_to_json(shown.roofs));
    out["hybrid"] = json_from(model::hybrid_to_json(shown.hybrid));
    out["points"] = json_from(model::points_to_json(shown.points, shown.readings)).at("points");
    out["placements"] = placed_json(shown.placed);
    out["tiers"] = json_from(model::tier_figures_to_json(shown.tiers)).at("figures");
  }
  return json_text(out, 1) + "\n";
}

}  // namespace gable::cli
