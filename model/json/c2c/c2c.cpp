#include "model/json/c2c/c2c.hpp"

#include <set>

#include "base/json.hpp"
#include "model/json/visits/lines_of.hpp"
#include "model/records/c2c.hpp"

namespace gable::model {

template <>
constexpr std::string_view next_step<C2cSample> = "measure again with --only c2c";

template <typename Io>
void describe(Io& io, As<C2cCase> auto& spec) {
  io.required("measure", spec.measure);
  io.required("pus", spec.pus);
  io.index("node", spec.node);
  const bool of_pairs = row_of(spec.measure).of_pairs;
  io.when(of_pairs, "home", spec.home);
  io.when(of_pairs, "relation", spec.between.relation);
  io.when(of_pairs, "distance", spec.between.distance);
  io.when(of_pairs, "kinds", spec.between.kinds);
}

void check(const Fields& fields, const C2cCase& spec) {
  const std::set<unsigned> different(spec.pus.begin(), spec.pus.end());
  if (different.size() != spec.pus.size() || spec.pus.size() < 2)
    fields.fail("\"pus\" must be two different CPUs or more");
  if (row_of(spec.measure).of_pairs && spec.pus.size() != 2)
    fields.fail("\"pus\" of a pair must be two CPUs");
}

template <typename Io>
void describe(Io& io, As<C2cSample> auto& sample) {
  io.required("asked", sample.spec);
  io.required("round", sample.round);
  describe_repetitions(io, "work", sample.work, sample);
  io.when(!row_of(sample.spec.measure).of_pairs, "by_threads", sample.by_threads);
  io.required("disturbed", sample.disturbed);
  io.required("adds_per_cycle", sample.adds_per_cycle);
  describe_conditions(io, sample);
  describe_notes(io, sample);
}

void check(const Fields& fields, const C2cSample& sample) {
  check_result(fields, sample.seconds, "work", sample.work, sample.status, sample.reason);
  if (!sample.by_threads.empty() && sample.by_threads.size() != sample.spec.pus.size())
    fields.fail("\"by_threads\" must have a number for each of \"pus\"");
}

namespace {

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

Json c2c_figures_json(const std::vector<C2cFigure>& figures) {
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
  return out;
}

template std::string to_line(const C2cSample&);
template C2cSample from_line(std::string_view, const std::string&);
template std::vector<C2cSample> read_lines(const std::string&);

}  // namespace gable::model
