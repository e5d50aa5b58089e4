#include "model/json/c2c/c2c.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json.hpp"
#include "model/json/fields.hpp"
#include "model/json/lines.hpp"
#include "model/json/visits/visit.hpp"

namespace gable::model {
namespace {

constexpr const char* cure_of_c2c = "correct or delete this line, then measure again with --only c2c";

Json json_of(const C2cCase& spec) {
  Json out = {{"measure", name_of(spec.measure)},
              {"pus", spec.pus},
              {"node", spec.node < 0 ? Json() : Json(spec.node)}};
  if (!row_of(spec.measure).of_pairs) return out;
  out["home"] = name_of(spec.home);
  out["relation"] = name_of(spec.between.relation);
  out["distance"] = spec.between.distance;
  out["kinds"] = spec.between.kinds;
  return out;
}

C2cCase c2c_case_of(const Fields& fields) {
  C2cCase spec;
  spec.measure = fields.word<C2cMeasure>("measure");
  spec.pus = fields.cpus("pus");
  spec.node = fields.at("node").is_null() ? -1 : fields.integer("node");
  const std::set<unsigned> different(spec.pus.begin(), spec.pus.end());
  if (different.size() != spec.pus.size() || spec.pus.size() < 2)
    fields.fail("\"pus\" must be two different CPUs or more");
  if (!row_of(spec.measure).of_pairs) return spec;
  if (spec.pus.size() != 2) fields.fail("\"pus\" of a pair must be two CPUs");
  spec.home = fields.word<Home>("home");
  spec.between.relation = fields.word<Relation>("relation");
  spec.between.distance = fields.number("distance");
  spec.between.kinds = fields.text("kinds");
  return spec;
}

C2cSample c2c_sample_of(const Fields& fields) {
  fields.schema();
  C2cSample sample;
  sample.spec = c2c_case_of(fields.object("asked"));
  sample.round = fields.integer("round");
  read_result(fields, "work", sample.work, sample);
  if (!row_of(sample.spec.measure).of_pairs) {
    sample.by_threads = fields.numbers("by_threads");
    if (!sample.by_threads.empty() && sample.by_threads.size() != sample.spec.pus.size())
      fields.fail("\"by_threads\" must have a number for each of \"pus\"");
  }
  sample.adds_per_cycle = fields.number("adds_per_cycle");
  read_conditions(fields, sample);
  return sample;
}

Json class_json(const C2cClassFigure& figure) {
  return {{"class", name_of(figure.between)},
          {"relation", name_of(figure.between.relation)},
          {"distance", figure.between.distance},
          {"kinds", figure.between.kinds},
          {"measure", name_of(figure.measure)},
          {"home", name_of(figure.home)},
          {"value", figure.estimate.value},
          {"lo", figure.estimate.lo},
          {"hi", figure.estimate.hi},
          {"unit", row_of(figure.measure).unit},
          {"least", figure.least},
          {"most", figure.most},
          {"pairs", figure.pairs}};
}

Json group_json(const C2cFigure& figure) {
  const bool ok = figure.status == Status::ok;
  const auto if_ok = [&](double value) { return ok ? Json(value) : Json(); };
  return {{"measure", name_of(figure.spec.measure)},
          {"threads", figure.spec.pus.size()},
          {"value", if_ok(figure.estimate.value)},
          {"lo", if_ok(figure.estimate.lo)},
          {"hi", if_ok(figure.estimate.hi)},
          {"unit", row_of(figure.spec.measure).unit},
          {"fairness", if_ok(figure.fairness)},
          {"status", name_of(figure.status)},
          {"reason", figure.reason}};
}

}  // namespace

std::string c2c_figures_to_json(const std::vector<C2cFigure>& figures) {
  Json out = {{"classes", Json::array()}, {"contended", Json::array()}, {"differing", Json::array()}};
  for (const C2cClassFigure& figure : c2c_classes(figures)) out["classes"].push_back(class_json(figure));
  for (const C2cFigure& figure : figures)
    if (!row_of(figure.spec.measure).of_pairs) out["contended"].push_back(group_json(figure));
  for (const C2cOutlier& outlier : c2c_outliers(figures))
    out["differing"].push_back({{"pus", outlier.figure.spec.pus},
                                {"class", name_of(outlier.figure.spec.between)},
                                {"value", outlier.figure.estimate.value},
                                {"class_lo", outlier.lo},
                                {"class_hi", outlier.hi}});
  return out.dump();
}

std::string c2c_sample_to_line(const C2cSample& sample) {
  Json out = {{"schema", schema}, {"asked", json_of(sample.spec)}, {"round", sample.round}};
  add_status(out, sample);
  out["seconds"] = sample.seconds;
  out["work"] = sample.work;
  if (!row_of(sample.spec.measure).of_pairs) out["by_threads"] = sample.by_threads;
  out["disturbed"] = sample.disturbed;
  out["adds_per_cycle"] = sample.adds_per_cycle;
  add_conditions(out, sample);
  add_notes(out, sample);
  return line_of(out, "visit to " + words_of(sample.spec), c2c_sample_of);
}

C2cSample c2c_sample_from_line(std::string_view line, const std::string& where) {
  C2cSample sample;
  read_line(line, where, cure_of_c2c, [&](const Fields& fields) { sample = c2c_sample_of(fields); });
  return sample;
}

std::vector<C2cSample> read_c2c_samples(const std::string& path) {
  std::vector<C2cSample> all;
  for_each_line(path, [&](const Line& line) { all.push_back(c2c_sample_from_line(line.text, line.where)); });
  return all;
}

}  // namespace gable::model
