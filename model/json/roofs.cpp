// roofs.json, with one Roof per line so that errors can name the line.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/lists.hpp"
#include "model/json/document.hpp"
#include "model/json/fields.hpp"
#include "model/json/record_io.hpp"
#include "model/json/roof.hpp"
#include "model/records/question.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

template <typename Io>
void describe(Io& io, As<CacheLevel> auto& level) {
  io.required("cluster", level.cluster);
  io.required("level", level.level);
  io.required("claimed_bytes", level.claimed_bytes);
  io.required("measured_bytes", level.measured_bytes);
  io.required("confirmed", level.confirmed);
  io.required("remark", level.remark);
}

namespace {

// Of a bandwidth, a peak, a latency or a rate, in its unit.
constexpr double most_of_a_roof = 1e15, most_gigahertz = 1e3;

void check_measured(const Fields& fields, const char* name) {
  const double figure = fields.number(name);
  if (figure <= 0) fields.fail(fmt::format("\"{}\" is not above 0", name));
  fields.at_most(name, figure, most_of_a_roof);
  fields.at_most(name, 1 / figure, most_of_a_roof);
}

}  // namespace

// Without its points.
template <typename Io>
void describe(Io& io, As<Validation> auto& validation) {
  describe(io, validation.roof);
  io.required("gb_per_s", validation.gb_per_s);
  io.required("peak_gflop_per_s", validation.peak_gflop_per_s);
  io.required("paper_percent", validation.paper_percent);
  io.required("rms_percent", validation.rms_percent);
  io.required("max_percent", validation.max_percent);
}

Json roof_to_json(const Roof& roof) {
  return record_to_json(roof);
}

Roof roof_from(const Fields& fields) {
  Roof roof = record_from<Roof>(fields);
  check(fields, roof.spec);
  fields.one_of("unit", distinct(work_rows, [](const WorkRow& row) { return std::string(row.unit); }));
  if (fields.has("remark")) roof.remarks = notes_from(fields, "remark");  // of older files
  if (fields.has("clock_ghz")) fields.at_most("clock_ghz", fields.number("clock_ghz"), most_gigahertz);
  for (const char* const name : {"adds_per_cycle", "load_gb_per_s", "idle_value", "idle_lo", "idle_hi"}) {
    if (fields.has(name)) fields.at_most(name, fields.number(name), most_of_a_roof);
  }
  if (roof.status != Status::ok) {
    roof.value = roof.lo = roof.hi = 0;
    return roof;
  }
  for (const char* const name : {"value", "lo", "hi"}) check_measured(fields, name);
  if (roof.lo > roof.value || roof.value > roof.hi) fields.fail("\"value\" lies outside \"lo\" and \"hi\"");
  return roof;
}

namespace {

Json validation_to_json(const Validation& validation) {
  Json out = record_to_json(validation);
  out["points"] = Json::array();
  for (const ValidationPoint& point : validation.points) {
    out["points"].push_back(roof_to_json(point.measured));
    out["points"].back()["bound_gflop_per_s"] = point.bound;
  }
  return out;
}

ValidationPoint validation_point_from(const Fields& fields) {
  return {roof_from(fields), fields.number("bound_gflop_per_s")};
}

Validation validation_from(const Fields& fields) {
  auto validation = record_from<Validation>(fields);
  check(fields, validation.roof);
  for (const char* const name : {"gb_per_s", "peak_gflop_per_s"}) {
    if (!fields.at(name).is_null()) check_measured(fields, name);
  }
  validation.points = fields.array("points", validation_point_from);
  return validation;
}

}  // namespace

std::string roofs_to_json(const Roofs& roofs) {
  return fmt::format("{{\"schema\":{},\n{},\n{},\n{},\n{}}}\n", schema,
                     array_to_json("roofs", roofs.roofs, roof_to_json),
                     array_to_json("ladder", roofs.ladder, roof_to_json),
                     array_to_json("levels", roofs.levels, record_to_json<CacheLevel>),
                     array_to_json("validation", roofs.validation, validation_to_json));
}

Roofs roofs_from_json(const std::string& text, const std::string& path) {
  const Document document(text, path, how_to_fit_again(path));
  Roofs roofs;
  roofs.roofs = document.array("roofs", roof_from);
  std::erase_if(roofs.roofs, [](const Roof& roof) { return bypasses_its_cache(roof.spec); });
  roofs.ladder = document.array("ladder", roof_from);
  roofs.levels = document.array("levels", record_from<CacheLevel>);
  if (document.has("validation")) roofs.validation = document.array("validation", validation_from);
  return roofs;
}

}  // namespace gable::model
