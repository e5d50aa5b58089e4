#include "model/json/hybrid_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/json/document.hpp"
#include "model/json/record_io.hpp"
#include "model/json/visits/note.hpp"

namespace gable::model {

template <typename Io>
void describe(Io& io, As<Errors> auto& errors) {
  io.required("paper_percent", errors.paper_percent);
  io.required("rms_percent", errors.rms_percent);
  io.required("max_percent", errors.max_percent);
  io.required("held_out_rms_percent", errors.held_out_rms_percent);
  io.optional("between_rms_percent", errors.between_rms_percent);  // older files lack it
  io.required("cells", errors.cells);
  io.required("held_out_cells", errors.held_out_cells);
}

namespace {

Json term_to_json(const Parameter& parameter) {
  Json out = Json::object();
  out["value"] = or_null(parameter.value);
  out["standard_error"] = or_null(parameter.standard_error);
  if (!parameter.value) out["undetermined"] = parameter.reason;
  return out;
}

Json covariance_to_json(const Covariance& covariance, std::size_t size) {
  Json out = Json::array();
  for (std::size_t i = 0; i < size; ++i) {
    out.emplace_back(Json::array());
    for (std::size_t j = 0; j < size; ++j) out.back().push_back(covariance[i][j]);
  }
  return out;
}

void add_model(Json& out, const HybridModel& model, Law law) {
  for (const char* name : {"theta", "standard_error", "undetermined"}) out[name] = Json::object();
  for (const Transfer x : transfers) {
    for (const char* name : {"theta", "standard_error"}) out[name][name_of(x)] = Json::object();
    for (const Transfer y : transfers) {
      if (x == y) continue;
      const Parameter& theta = model.theta[x][y];
      out["theta"][name_of(x)][name_of(y)] = or_null(theta.value);
      out["standard_error"][name_of(x)][name_of(y)] = or_null(theta.standard_error);
      if (!theta.value) out["undetermined"][name_of(x)][name_of(y)] = theta.reason;
    }
  }
  if (has_terms(law)) {
    out["terms"] = Json::object();
    for (const Term term : terms) out["terms"][name_of(term)] = term_to_json(model.terms[term]);
  }
  out["errors"] = record_to_json(model.errors);
  out["covariance"] = nullptr;
  if (model.covariance) out["covariance"] = covariance_to_json(*model.covariance, slots_of(law));
}

// Of a bandwidth in GB/s, a parameter of a law, or its error.
constexpr double most_of_a_fit = 1e15;

std::optional<double> optional_from(const Fields& fields, const char* name) {
  if (fields.at(name).is_null()) return {};
  const double figure = fields.real(name);
  fields.at_most(name, figure, most_of_a_fit);
  return figure;
}

std::optional<Covariance> covariance_from(const Fields& fields, std::size_t size) {
  const Json& rows = fields.at("covariance");
  if (rows.is_null()) return {};
  Covariance covariance = {};
  bool whole = rows.is_array() && rows.size() == size;
  for (std::size_t i = 0; whole && i < size; ++i) {
    whole = rows[i].is_array() && rows[i].size() == size;
    for (std::size_t j = 0; whole && j < size; ++j) {
      whole = rows[i][j].is_number();
      if (whole) covariance[i][j] = rows[i][j].get<double>();
    }
  }
  if (!whole) fields.fail(fmt::format("\"covariance\" must be null or {} rows of {} numbers", size, size));
  for (const auto& row : covariance) {
    for (const double figure : row) fields.at_most("covariance", figure, most_of_a_fit);
  }
  return covariance;
}

Parameter term_from(const Fields& fields) {
  Parameter parameter = {optional_from(fields, "value"), optional_from(fields, "standard_error"), {}};
  if (!parameter.value) parameter.reason = note_from(fields, "undetermined");
  return parameter;
}

HybridModel model_from(const Fields& fields, Law law) {
  HybridModel model;
  const Fields thetas = fields.object("theta"), errors = fields.object("standard_error");
  const Fields reasons = fields.object("undetermined");
  for (const Transfer x : transfers) {
    const Fields values = thetas.object(name_of(x)), deviations = errors.object(name_of(x));
    for (const Transfer y : transfers) {
      if (x == y) continue;
      Parameter& theta = model.theta[x][y];
      theta.value = optional_from(values, name_of(y));
      theta.standard_error = optional_from(deviations, name_of(y));
      if (!theta.value) theta.reason = note_from(reasons.object(name_of(x)), name_of(y));
    }
  }
  model.errors = record_from<Errors>(fields.object("errors"));
  model.covariance = covariance_from(fields, slots_of(law));
  if (!has_terms(law)) return model;
  const Fields of_terms = fields.object("terms");
  for (const Term term : terms) model.terms[term] = term_from(of_terms.object(name_of(term)));
  return model;
}

// A law missing in the file, which is older than the law or has published figures.
HybridModel model_not_fitted() {
  const Parameter unknown = {{}, {}, NoteCode::law_not_fitted};
  HybridModel model;
  for (PerTransfer<Parameter>& row : model.theta) row.fill(unknown);
  model.terms.fill(unknown);
  return model;
}

Bandwidth bandwidth_from(const Fields& fit, const char* name) {
  if (fit.object("bandwidth_gb_per_s").at(name).is_null())
    return {{}, note_from(fit.object("no_bandwidth"), name)};
  Estimate estimate;
  estimate.value = fit.object("bandwidth_gb_per_s").number(name);
  estimate.lo = fit.object("bandwidth_lo_gb_per_s").number(name);
  estimate.hi = fit.object("bandwidth_hi_gb_per_s").number(name);
  estimate.n = fit.object("bandwidth_n").integer(name);
  if (estimate.value <= 0 || estimate.lo > estimate.value || estimate.value > estimate.hi)
    fit.fail(fmt::format("the bandwidth of {} is not above 0, or not between its lo and hi", name));
  fit.at_most(name, estimate.hi, most_of_a_fit);
  return {estimate, {}};
}

}  // namespace

Json fit_to_json(const HybridFit& fit) {
  Json out = Json::object();
  add_model(out, fit.model(Law::equation5), Law::equation5);
  for (const char* name : {"no_bandwidth", "bandwidth_gb_per_s", "bandwidth_lo_gb_per_s",
                           "bandwidth_hi_gb_per_s", "bandwidth_n"})
    out[name] = Json::object();
  for (const Transfer x : transfers) {
    const char* name = name_of(x);
    const auto& [estimate, reason] = fit.bandwidths[x];
    const bool known = estimate.has_value();
    out["bandwidth_gb_per_s"][name] = known ? Json(estimate->value) : Json(nullptr);
    out["bandwidth_lo_gb_per_s"][name] = known ? Json(estimate->lo) : Json(nullptr);
    out["bandwidth_hi_gb_per_s"][name] = known ? Json(estimate->hi) : Json(nullptr);
    out["bandwidth_n"][name] = known ? estimate->n : 0;
    if (!known) out["no_bandwidth"][name] = reason;
  }
  for (const Law law : laws) {
    if (law != Law::equation5) add_model(out[name_of(law)], fit.model(law), law);
  }
  out["better"] = fit.best ? Json(name_of(*fit.best)) : Json(nullptr);
  out["cells"] = fit.cells;
  out["unmodelled_cells"] = fit.unmodelled_cells;
  return out;
}

HybridFit fit_from(const Fields& fields) {
  HybridFit fit;
  for (const Transfer x : transfers) fit.bandwidths[x] = bandwidth_from(fields, name_of(x));
  for (const Law law : laws) {
    const bool on_top = law == Law::equation5;
    if (on_top || law == Law::phased || fields.has(name_of(law))) {
      fit.model(law) = model_from(on_top ? fields : fields.object(name_of(law)), law);
    } else {
      fit.model(law) = model_not_fitted();
    }
  }
  if (!fields.at("better").is_null()) {
    std::vector<std::string> names;
    for (const Law law : laws) names.emplace_back(name_of(law));
    const std::string best = fields.one_of("better", names);
    fit.best = laws[static_cast<std::size_t>(std::ranges::find(names, best) - names.begin())];
  }
  fit.cells = fields.integer("cells");
  fit.unmodelled_cells = fields.integer("unmodelled_cells");
  return fit;
}

}  // namespace gable::model
