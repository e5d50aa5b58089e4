#include "model/hybrid/hybrid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/hybrid/errors.hpp"
#include "model/hybrid/phases.hpp"
#include "model/hybrid/theta.hpp"

namespace gable::model {
namespace {

// With such a standard error a parameter is useless: it covers the whole range from hidden to not overlapped.
// If terms and the θ of the same transfers share the cost of a mix, each may be much less certain than their
// sum; only their covariance shows that.
double useless(Law law) {
  return has_terms(law) ? 5 : 1;
}

constexpr double no_difference = 1e-6;  // percent: smaller differences between two laws' errors are rounding

Bandwidth bandwidth_of(const std::vector<Cell>& cells, Transfer x) {
  std::vector<double> values;
  Estimate only;
  int n = 0;
  for (const Cell& cell : cells) {
    if (cell.bytes[x] <= 0 || !is_pure(cell.bytes)) continue;
    const double gigabytes = cell.bytes[x] / 1e9;
    only = {gigabytes / cell.seconds.value, gigabytes / cell.seconds.hi, gigabytes / cell.seconds.lo, 0};
    values.push_back(only.value);
    n += cell.seconds.n;
  }
  if (values.empty()) return {{}, {NoteCode::no_pure_cell, {name_of(x), meaning(x)}}};
  Estimate estimate = values.size() == 1 ? only : estimate_median(values);
  estimate.n = n;
  return {estimate, {}};
}

std::string parameter_name(std::size_t column) {
  if (column >= slot(terms.front())) return name_of(terms[column - slot(terms.front())]);
  return fmt::format("{}/{}", name_of(transfers[column / 4]), name_of(transfers[column % 4]));
}

bool any_row_has(const MixedGrid& grid, std::size_t column) {
  return std::ranges::any_of(grid.rows, [&](const CellRow& cell) {
    return std::find(cell.row.columns.begin(), cell.row.columns.begin() + cell.row.count, column) !=
           cell.row.columns.begin() + cell.row.count;
  });
}

// The other parameters that must be known before the cells determine this one.
Note tied_reason(const Regression& regression, std::size_t column) {
  std::vector<std::string> tied;
  for (std::size_t other = 0; other < columns; ++other) {
    const double link = regression.solution.free[column][other];
    if (other != column && std::abs(link) > 1e-3) tied.push_back(parameter_name(other));
  }
  if (tied.empty()) return NoteCode::too_few_cells;
  return {NoteCode::known_with_others, {fmt::format("{}", fmt::join(tied, ", "))}};
}

// Why the cells do not determine θ of (dominating x, other y).
Note reason_of(const MixedGrid& grid, const Regression& regression, Transfer x, Transfer y) {
  for (const Transfer z : {x, y}) {
    if (!grid.bandwidths[z].gb_per_s) return {NoteCode::without_bandwidth, {name_of(z)}};
  }
  if (std::ranges::none_of(grid.rows, [&](const CellRow& row) { return row.dominating[x] > 0; }))
    return {NoteCode::never_dominates, {name_of(x)}};
  if (!any_row_has(grid, slot(x, y))) return {NoteCode::never_dominates_while, {name_of(x), name_of(y)}};
  return tied_reason(regression, slot(x, y));
}

Note reason_of(const MixedGrid& grid, const Regression& regression, Term term) {
  if (!any_row_has(grid, slot(term))) return {NoteCode::no_cell_has, {meaning(term)}};
  return tied_reason(regression, slot(term));
}

// The result of the regression for one column; empty, without a reason, if it has none.
Parameter parameter_of(const MixedGrid& grid, const Regression& regression, std::size_t column) {
  if (regression.used.empty() || !regression.solution.determines(column)) return {};
  Parameter found = {regression.solution.unknowns[column], {}, {}};
  if (std::isnan(regression.sigma)) return found;
  found.standard_error = std::sqrt(regression.covariance[column][column]);
  if (*found.standard_error > useless(grid.law)) {
    found.value.reset();
    found.reason = {NoteCode::known_too_little, {*found.standard_error}};
  }
  return found;
}

// Gives every unknown parameter a reason, and no covariance.
void add_parameters(HybridModel& model, const MixedGrid& grid, const Regression& regression) {
  if (!std::isnan(regression.sigma)) model.covariance = regression.covariance;
  const auto add = [&](Parameter& parameter, std::size_t column, auto... key) {
    parameter = parameter_of(grid, regression, column);
    if (parameter.value) return;
    if (parameter.reason.empty()) parameter.reason = reason_of(grid, regression, key...);
    if (!model.covariance) return;
    model.covariance->at(column) = {};
    for (auto& row : *model.covariance) row[column] = 0;
  };
  for (const Transfer x : transfers) {
    for (const Transfer y : transfers) {
      if (x != y) add(model.theta[x][y], slot(x, y), x, y);
    }
  }
  if (!has_terms(grid.law)) return;
  for (const Term term : terms) add(model.terms[term], slot(term), term);
}

// The errors of the fit for mixed and pure cells; pure cells give the bandwidths.
Errors errors_of(const std::vector<Cell>& pure, const MixedGrid& grid, const CellErrors& mixed) {
  std::vector<double> errors = mixed.fitted;
  for (const Cell& cell : pure) errors.push_back(cell_row(cell, grid.gb_per_s, grid.law).fixed - 1);
  const Rms rms = rms_of(errors), held_out = rms_of(mixed.held_out), between = rms_of(mixed.between);
  Errors found;
  found.cells = rms.cells;
  found.held_out_cells = held_out.cells;
  if (rms.cells > 0) {
    found.rms_percent = rms.percent;
    found.paper_percent = rms.percent / std::sqrt(rms.cells);
    found.max_percent = 0;
    for (const double error : errors)
      found.max_percent = std::fmax(*found.max_percent, 100 * std::abs(error));  // not of NaN
  }
  if (held_out.cells > 0) found.held_out_rms_percent = held_out.percent;
  if (between.cells > 0) found.between_rms_percent = between.percent;
  return found;
}

// Fits one law; also gives its held-out error for each cell.
HybridModel model_of(const std::vector<Cell>& pure, const MixedGrid& grid, std::vector<double>& unseen) {
  const Regression regression = regress(grid);
  HybridModel model;
  add_parameters(model, grid, regression);
  CellErrors errors = cell_errors(grid, regression);
  model.errors = errors_of(pure, grid, errors);
  unseen = std::move(errors.held_out);
  return model;
}

// The error of a law for held-out cells, as `unseen_percent`, over the cells that all judged laws predict.
double unseen_in(const std::vector<double>& held_out, const std::vector<double>& in_all,
                 const Errors& errors) {
  std::vector<double> common = held_out;
  for (std::size_t i = 0; i < common.size(); ++i) common[i] += in_all[i];
  const Rms rms = rms_of(common);
  if (rms.cells == 0) return std::numeric_limits<double>::infinity();
  return std::max(rms.percent, errors.between_rms_percent.value_or(0) / 2);
}

// The simplest of equally good laws. A law that cannot predict held-out shares of loads is not judged if
// another one can.
std::optional<Law> best_of(const HybridFit& fit, const PerLaw<std::vector<double>>& unseen) {
  const auto has_mixes_between = [&](Law law) {
    return fit.model(law).errors.between_rms_percent.has_value();
  };
  const bool any_between = std::ranges::any_of(laws, has_mixes_between);
  const auto judged = those(
      laws, [&](Law law) { return rms_of(unseen[law]).cells > 0 && has_mixes_between(law) == any_between; });
  if (judged.empty()) return {};
  std::vector<double> in_all(unseen[judged.front()].size());  // 0, or NaN where a law does not predict
  for (const Law law : judged) {
    for (std::size_t i = 0; i < in_all.size(); ++i) in_all[i] += 0 * unseen[law][i];
  }
  std::optional<Law> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Law law : judged) {
    const double percent = unseen_in(unseen[law], in_all, fit.model(law).errors);
    if (percent >= least - no_difference) continue;
    best = law;
    least = percent;
  }
  return best;
}

}  // namespace

bool Cell::operator==(const Cell& other) const {
  return bytes == other.bytes && seconds.value == other.seconds.value && seconds.lo == other.seconds.lo &&
         seconds.hi == other.seconds.hi && seconds.n == other.seconds.n;
}

std::optional<double> Errors::unseen_percent() const {
  if (!held_out_rms_percent) return {};
  return std::max(*held_out_rms_percent, between_rms_percent.value_or(0) / 2);
}

HybridFit fit_hybrid(std::vector<Cell> cells) {
  const auto before = [](const Cell& a, const Cell& b) {
    return std::tie(a.bytes, a.seconds.value) < std::tie(b.bytes, b.seconds.value);
  };
  if (!std::is_sorted(cells.begin(), cells.end(), before)) sort_with(cells, before);
  HybridFit fit;
  for (const Transfer x : transfers) fit.bandwidths[x] = bandwidth_of(cells, x);
  std::vector<Cell> pure, mixed;
  for (const Cell& cell : cells) {
    const bool known = std::ranges::all_of(
        transfers, [&](Transfer x) { return cell.bytes[x] <= 0 || fit.bandwidths[x].gb_per_s; });
    if (!known) {
      ++fit.unmodelled_cells;
    } else {
      (is_pure(cell.bytes) ? pure : mixed).push_back(cell);
    }
  }
  fit.cells = static_cast<int>(cells.size());
  PerLaw<std::vector<double>> unseen;
  // Laws are independent of each other, so for a large grid each is fitted in its own thread.
  constexpr std::size_t large = 10000;
  const auto how = mixed.size() > large ? std::launch::async : std::launch::deferred;
  PerLaw<std::future<HybridModel>> models;
  for (const Law law : laws) {
    models[law] = std::async(
        how, [&, law] { return model_of(pure, MixedGrid(mixed, fit.bandwidths, law), unseen[law]); });
  }
  for (const Law law : laws) fit.model(law) = models[law].get();
  fit.best = best_of(fit, unseen);
  return fit;
}

}  // namespace gable::model
