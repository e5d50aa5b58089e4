#include "model/hybrid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/hybrid_errors.hpp"
#include "model/hybrid_theta.hpp"
#include "model/phases.hpp"

namespace gable::model {
namespace {

constexpr double useless = 1;  // a standard error as wide as the whole range from hidden to not overlapped

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
  if (values.empty()) return {{}, fmt::format("no cell has {} ({}) alone", name_of(x), meaning(x))};
  Estimate estimate = values.size() == 1 ? only : estimate_median(values);
  estimate.n = n;
  return {estimate, ""};
}

std::string theta_name(std::size_t column) {
  return fmt::format("{}/{}", name_of(transfers[column / 4]), name_of(transfers[column % 4]));
}

// Why the cells do not determine θ of (dominating x, other y).
std::string reason_of(const MixedGrid& grid, const Regression& regression, Transfer x, Transfer y) {
  for (const Transfer z : {x, y}) {
    if (!grid.bandwidths[z].gb_per_s) return "without the bandwidth of " + std::string(name_of(z));
  }
  bool dominates = false, with_other = false;
  for (const Cell& cell : grid.cells) {
    const CellRow row = grid.row(cell);
    dominates = dominates || row.dominating[x] > 0;
    for (std::size_t i = 0; i < row.row.count; ++i)
      with_other = with_other || row.row.entries[i].column == slot(x, y);
  }
  if (!dominates) return fmt::format("{} never dominates beside another transfer", name_of(x));
  if (!with_other) return fmt::format("{} never dominates while {} happens", name_of(x), name_of(y));
  const Square& free = regression.solution.free;
  std::vector<std::string> tied;
  for (std::size_t column = 0; column < columns; ++column) {
    const double link = free(static_cast<Eigen::Index>(slot(x, y)), static_cast<Eigen::Index>(column));
    if (column != slot(x, y) && std::abs(link) > 1e-3) tied.push_back(theta_name(column));
  }
  if (tied.empty()) return "too few cells";
  return fmt::format("the cells tell it only together with {}", fmt::join(tied, ", "));
}

Theta theta_of(const MixedGrid& grid, const Regression& regression, Transfer x, Transfer y) {
  const std::size_t column = slot(x, y);
  if (regression.used.empty() || !regression.solution.determines(column))
    return {{}, {}, reason_of(grid, regression, x, y)};
  Theta theta = {regression.solution.unknowns[static_cast<Eigen::Index>(column)], {}, ""};
  if (std::isnan(regression.sigma)) return theta;
  theta.standard_error = std::sqrt(regression.covariance[column][column]);
  if (*theta.standard_error > useless) {
    theta.value.reset();
    theta.reason = fmt::format("the cells tell it only to +- {:.2g}", *theta.standard_error);
  }
  return theta;
}

// The fitted errors of mixed and pure cells; pure ones are the bandwidths.
Errors errors_of(const std::vector<Cell>& pure, const MixedGrid& grid, const CellErrors& mixed) {
  std::vector<double> errors = mixed.fitted;
  for (const Cell& cell : pure) errors.push_back(grid.row(cell).fixed - 1);
  const Rms rms = rms_of(errors), held_out = rms_of(mixed.held_out);
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
  return found;
}

// The model of one law, and its held-out errors by cell.
HybridModel model_of(const std::vector<Cell>& pure, const MixedGrid& grid, std::vector<double>& unseen) {
  const Regression regression = regress(grid);
  HybridModel model;
  for (const Transfer x : transfers) {
    for (const Transfer y : transfers) {
      if (x != y) model.theta[x][y] = theta_of(grid, regression, x, y);
    }
  }
  CellErrors errors = cell_errors(grid, regression);
  model.errors = errors_of(pure, grid, errors);
  unseen = std::move(errors.held_out);
  if (std::isnan(regression.sigma)) return model;
  model.covariance = regression.covariance;
  for (const Transfer x : transfers) {
    for (const Transfer y : transfers) {
      if (x == y || model.theta[x][y].value) continue;
      model.covariance->at(slot(x, y)) = {};
      for (auto& row : *model.covariance) row[slot(x, y)] = 0;
    }
  }
  return model;
}

// By the cells that both predict; of equals the simpler.
std::optional<Law> better_of(std::vector<double> equation5, std::vector<double> phased) {
  for (std::size_t i = 0; i < equation5.size(); ++i) {
    const double both = equation5[i] + phased[i];  // NaN when either is
    if (std::isnan(both)) equation5[i] = phased[i] = both;
  }
  const Rms one = rms_of(equation5), two = rms_of(phased);
  if (one.cells == 0) return {};
  return two.percent < one.percent ? Law::phased : Law::equation5;
}

}  // namespace

bool Cell::operator==(const Cell& other) const {
  return bytes == other.bytes && seconds.value == other.seconds.value && seconds.lo == other.seconds.lo &&
         seconds.hi == other.seconds.hi && seconds.n == other.seconds.n;
}

HybridFit fit_hybrid(std::vector<Cell> cells) {
  std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
    return std::tie(a.bytes, a.seconds.value) < std::tie(b.bytes, b.seconds.value);
  });
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
  PerTransfer<std::vector<double>> unseen;  // by law
  for (const Law law : laws) {
    const MixedGrid grid = {mixed, fit.bandwidths, law};
    fit.model(law) = model_of(pure, grid, unseen[static_cast<std::size_t>(law)]);
  }
  fit.better = better_of(unseen[0], unseen[1]);
  return fit;
}

}  // namespace gable::model
