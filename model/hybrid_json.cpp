#include "model/hybrid_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/case_json.hpp"
#include "model/document.hpp"
#include "model/fields.hpp"
#include "model/interleave.hpp"
#include "model/roof_json.hpp"

namespace gable::model {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Percents = std::pair<const char*, std::optional<double> Errors::*>;

constexpr Percents percents[] = {{"paper_percent", &Errors::paper_percent},
                                 {"rms_percent", &Errors::rms_percent},
                                 {"max_percent", &Errors::max_percent},
                                 {"held_out_rms_percent", &Errors::held_out_rms_percent}};

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json errors_to_json(const Errors& errors) {
  ordered_json out;
  for (const auto& [name, member] : percents) out[name] = or_null(errors.*member);
  out["cells"] = errors.cells;
  out["held_out_cells"] = errors.held_out_cells;
  return out;
}

void add_model(ordered_json& out, const HybridModel& model) {
  for (const char* name : {"theta", "standard_error", "undetermined"}) out[name] = ordered_json::object();
  for (const Transfer x : transfers) {
    for (const Transfer y : transfers) {
      if (x == y) continue;
      const Theta& theta = model.theta[x][y];
      out["theta"][name_of(x)][name_of(y)] = or_null(theta.value);
      out["standard_error"][name_of(x)][name_of(y)] = or_null(theta.standard_error);
      if (!theta.value) out["undetermined"][name_of(x)][name_of(y)] = theta.reason;
    }
  }
  out["errors"] = errors_to_json(model.errors);
  out["covariance"] = nullptr;
  if (model.covariance) out["covariance"] = *model.covariance;
}

ordered_json cell_to_json(const Cell& cell) {
  ordered_json out;
  for (const Transfer x : transfers) out["bytes"][name_of(x)] = cell.bytes[x];
  out["seconds"] = cell.seconds.value;
  out["lo"] = cell.seconds.lo;
  out["hi"] = cell.seconds.hi;
  out["n"] = cell.seconds.n;
  return out;
}

ordered_json node_to_json(const MemoryNode& node) {
  ordered_json out;
  out["node"] = node.node;
  out["tier"] = node.tier;
  return out;
}

std::string dumped(const ordered_json& out) {
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json interleave_errors_to_json(const InterleaveErrors& errors) {
  ordered_json out;
  out["between_rms_percent"] = or_null(errors.between_percent);
  out["between_cells"] = errors.between_cells;
  out["equation5_held_out_rms_percent"] = or_null(errors.equation5_percent);
  out["equation5_held_out_cells"] = errors.equation5_cells;
  return out;
}

std::string pair_to_json(const HybridPair& pair) {
  ordered_json out;
  out["cluster"] = pair.cluster;
  out["slow"] = node_to_json(pair.slow);
  out["fast"] = node_to_json(pair.fast);
  out["status"] = name_of(pair.status);
  out["reason"] = pair.reason;
  out["source"] = pair.source;
  out["pages"] = pair.pages;
  out["threads"] = pair.threads;
  if (!pair.interleaved.empty())
    out["interleave_errors"] = interleave_errors_to_json(interleave_errors(pair));
  if (pair.status == Status::ok) out["fit"] = fit_to_json(pair.fit);
  std::string text = dumped(out);
  text.back() = ',';
  text += "\n\"cells\":[";
  for (const Cell& cell : pair.cells) {
    text += &cell == &pair.cells.front() ? "\n" : ",\n";
    text += dumped(cell_to_json(cell));
  }
  text += "],\n\"applications\":[";
  for (const Application& application : pair.applications) {
    ordered_json named;
    named["op"] = application.op;
    named.update(cell_to_json(application.cell));
    text += &application == &pair.applications.front() ? "\n" : ",\n";
    text += dumped(named);
  }
  text += "],\n\"interleaved\":[";
  for (const InterleavedCell& it : pair.interleaved) {
    ordered_json weighted = {{"slow", it.slow}, {"fast", it.fast}};
    weighted.update(cell_to_json(it.cell));
    text += &it == &pair.interleaved.front() ? "\n" : ",\n";
    text += dumped(weighted);
  }
  return text + "]}";
}

std::optional<double> optional_from(const Fields& fields, const char* name) {
  if (fields.at(name).is_null()) return {};
  return fields.real(name);
}

Errors errors_from(const Fields& fields) {
  Errors errors;
  for (const auto& [name, member] : percents) errors.*member = optional_from(fields, name);
  errors.cells = fields.integer("cells");
  errors.held_out_cells = fields.integer("held_out_cells");
  return errors;
}

std::optional<Covariance> covariance_from(const Fields& fields) {
  const json& rows = fields.at("covariance");
  if (rows.is_null()) return {};
  Covariance covariance;
  bool whole = rows.is_array() && rows.size() == slots;
  for (std::size_t i = 0; whole && i < slots; ++i) {
    whole = rows[i].is_array() && rows[i].size() == slots;
    for (std::size_t j = 0; whole && j < slots; ++j) {
      whole = rows[i][j].is_number();
      if (whole) covariance[i][j] = rows[i][j].get<double>();
    }
  }
  if (!whole) fields.fail(fmt::format("\"covariance\" must be null or {} rows of {} numbers", slots, slots));
  return covariance;
}

HybridModel model_from(const Fields& fields) {
  HybridModel model;
  const Fields thetas = fields.object("theta"), errors = fields.object("standard_error");
  const Fields reasons = fields.object("undetermined");
  for (const Transfer x : transfers) {
    const Fields values = thetas.object(name_of(x)), deviations = errors.object(name_of(x));
    for (const Transfer y : transfers) {
      if (x == y) continue;
      Theta& theta = model.theta[x][y];
      theta.value = optional_from(values, name_of(y));
      theta.standard_error = optional_from(deviations, name_of(y));
      if (!theta.value) theta.reason = reasons.object(name_of(x)).text(name_of(y));
    }
  }
  model.errors = errors_from(fields.object("errors"));
  model.covariance = covariance_from(fields);
  return model;
}

Bandwidth bandwidth_from(const Fields& fit, const char* name) {
  if (fit.object("bandwidth_gb_per_s").at(name).is_null()) return {{}, fit.object("no_bandwidth").text(name)};
  Estimate estimate;
  estimate.value = fit.object("bandwidth_gb_per_s").number(name);
  estimate.lo = fit.object("bandwidth_lo_gb_per_s").number(name);
  estimate.hi = fit.object("bandwidth_hi_gb_per_s").number(name);
  estimate.n = fit.object("bandwidth_n").integer(name);
  if (estimate.value <= 0 || estimate.lo > estimate.value || estimate.value > estimate.hi)
    fit.fail(fmt::format("the bandwidth of {} is not above 0, or not between its lo and hi", name));
  return {estimate, ""};
}

HybridFit fit_from(const Fields& fields) {
  HybridFit fit;
  for (const Transfer x : transfers) fit.bandwidths[x] = bandwidth_from(fields, name_of(x));
  fit.equation5 = model_from(fields);
  fit.phased = model_from(fields.object("phased"));
  if (!fields.at("better").is_null())
    fit.better = fields.one_of("better", {"equation5", "phased"}) == "phased" ? Law::phased : Law::equation5;
  fit.cells = fields.integer("cells");
  fit.unmodelled_cells = fields.integer("unmodelled_cells");
  return fit;
}

Cell cell_from(const Fields& fields) {
  Cell cell;
  const Fields bytes = fields.object("bytes");
  for (const Transfer x : transfers) cell.bytes[x] = bytes.number(name_of(x));
  cell.seconds = {fields.number("seconds"), fields.number("lo"), fields.number("hi"), fields.integer("n")};
  if (cell.seconds.value <= 0 || cell.seconds.lo > cell.seconds.value || cell.seconds.value > cell.seconds.hi)
    fields.fail("\"seconds\" is not above 0, or not between \"lo\" and \"hi\"");
  return cell;
}

Application application_from(const Fields& fields) {
  return {fields.text("op"), cell_from(fields)};
}

InterleavedCell interleaved_from(const Fields& fields) {
  return {fields.integer("slow", 1, 255), fields.integer("fast", 1, 255), cell_from(fields)};
}

MemoryNode node_from(const Fields& fields) {
  return {fields.integer("node"), fields.text("tier")};
}

HybridPair pair_from(const Fields& fields) {
  HybridPair pair;
  pair.cluster = fields.integer("cluster");
  pair.slow = node_from(fields.object("slow"));
  pair.fast = node_from(fields.object("fast"));
  pair.status = status_from(fields);
  pair.reason = fields.text("reason");
  pair.source = fields.text("source");
  if (pair.status == Status::ok) pair.fit = fit_from(fields.object("fit"));
  pair.cells = fields.array("cells", cell_from);
  if (fields.has("pages")) pair.pages = fields.text("pages");
  if (fields.has("threads")) pair.threads = fields.integer("threads");
  if (fields.has("applications")) pair.applications = fields.array("applications", application_from);
  if (fields.has("interleaved")) pair.interleaved = fields.array("interleaved", interleaved_from);
  return pair;
}

}  // namespace

ordered_json fit_to_json(const HybridFit& fit) {
  ordered_json out;
  add_model(out, fit.equation5);
  out["no_bandwidth"] = ordered_json::object();
  for (const Transfer x : transfers) {
    const char* name = name_of(x);
    const auto& [estimate, reason] = fit.bandwidths[x];
    const bool known = estimate.has_value();
    out["bandwidth_gb_per_s"][name] = known ? ordered_json(estimate->value) : ordered_json(nullptr);
    out["bandwidth_lo_gb_per_s"][name] = known ? ordered_json(estimate->lo) : ordered_json(nullptr);
    out["bandwidth_hi_gb_per_s"][name] = known ? ordered_json(estimate->hi) : ordered_json(nullptr);
    out["bandwidth_n"][name] = known ? estimate->n : 0;
    if (!known) out["no_bandwidth"][name] = reason;
  }
  add_model(out["phased"], fit.phased);
  out["better"] = fit.better ? ordered_json(name_of(*fit.better)) : ordered_json(nullptr);
  out["cells"] = fit.cells;
  out["unmodelled_cells"] = fit.unmodelled_cells;
  return out;
}

std::string hybrid_to_json(const Hybrid& hybrid) {
  std::string text = fmt::format("{{\"schema\":{},\n\"pairs\":[", schema);
  for (const HybridPair& pair : hybrid.pairs)
    text += (&pair == &hybrid.pairs.front() ? "\n" : ",\n") + pair_to_json(pair);
  return text + "\n],\n" + array_to_json("missing", hybrid.missing, roof_to_json) + "}\n";
}

Hybrid hybrid_from_json(const std::string& text, const std::string& path) {
  const Document document(text, path, "run `gable fit` again");
  Hybrid hybrid;
  hybrid.pairs = document.array("pairs", pair_from);
  if (document.has("missing")) hybrid.missing = document.array("missing", roof_from);
  return hybrid;
}

}  // namespace gable::model
