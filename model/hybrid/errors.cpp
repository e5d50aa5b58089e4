#include "model/hybrid/errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/numbers.hpp"
#include "model/hybrid/phases.hpp"

namespace gable::model {
namespace {

constexpr std::size_t most_parts = 10;
constexpr std::size_t most_shares = 64;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Puts equally many cells into each part, in a pattern unrelated to that of a regular grid. Cells with the
// same quantities stay together.
std::vector<std::size_t> parts_of(const std::vector<Cell>& cells) {
  std::vector<std::size_t> order(cells.size()), parts(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[scrambled(i) % i]);
  const std::size_t count = std::min(most_parts, cells.size());
  for (std::size_t i = 0; i < order.size(); ++i) parts[order[i]] = i % count;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].bytes == cells[i - 1].bytes) parts[i] = parts[i - 1];
  }
  return parts;
}

double error_of(const CellRow& cell, const Solution& solution) {
  if (!solution.determines(cell.row)) return unknown;
  return cell.fixed + cell.row.of(solution.unknowns) - 1;  // B/t to B/t_fit as t_fit is to t
}

// The errors of the cells when each of the `count` parts in turn is held out.
std::vector<Solution> without_parts(const MixedGrid& grid, const std::vector<bool>& used,
                                    const std::vector<std::size_t>& parts, std::size_t count) {
  std::vector<NormalEquations> equations(count);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) equations[parts[i]].add(grid.rows[i].row);
  }
  std::vector<Solution> without(count);
  for (std::size_t part = 0; part < count; ++part) {
    NormalEquations others;
    for (std::size_t other = 0; other < count; ++other) {
      if (other != part) others += equations[other];
    }
    without[part] = others.solve();
  }
  return without;
}

// The distinct shares of loads, ascending; empty if there are too many.
std::vector<double> load_shares(const std::vector<Cell>& cells) {
  std::vector<double> shares;
  for (const Cell& cell : cells) {
    const double share = share_of_loads(cell.bytes);
    const auto above = std::ranges::lower_bound(shares, share - same_share);
    if (above != shares.end() && *above <= share + same_share) continue;
    shares.insert(above, share);
    if (shares.size() > most_shares) return {};
  }
  return shares;
}

std::vector<double> between_errors(const MixedGrid& grid, const std::vector<bool>& used) {
  const std::vector<double> shares = load_shares(grid.cells);
  if (shares.size() < 3) return {};
  std::vector<std::size_t> parts;
  for (const Cell& cell : grid.cells) {
    const auto nearest = std::ranges::lower_bound(shares, share_of_loads(cell.bytes) - same_share);
    parts.push_back(static_cast<std::size_t>(nearest - shares.begin()));
  }
  const std::vector<Solution> without = without_parts(grid, used, parts, shares.size());
  std::vector<double> errors;
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    const bool outermost = parts[i] == 0 || parts[i] + 1 == shares.size();
    errors.push_back(outermost ? unknown : error_of(grid.rows[i], without[parts[i]]));
  }
  return errors;
}

}  // namespace

CellErrors cell_errors(const MixedGrid& grid, const Regression& regression) {
  const std::vector<std::size_t> parts = parts_of(grid.cells);
  const std::vector<Solution> without = without_parts(grid, regression.used, parts, most_parts);
  CellErrors errors;
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    errors.fitted.push_back(error_of(grid.rows[i], regression.solution));
    errors.held_out.push_back(error_of(grid.rows[i], without[parts[i]]));
  }
  errors.between = between_errors(grid, regression.used);
  return errors;
}

Rms rms_of(const std::vector<double>& errors) {
  Rms rms;
  double squares = 0;
  for (const double error : errors) {
    if (std::isnan(error)) continue;
    squares += error * error;
    ++rms.cells;
  }
  if (rms.cells > 0) rms.percent = 100 * std::sqrt(squares / rms.cells);
  return rms;
}

}  // namespace gable::model
