#include "model/hybrid/theta.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "base/numbers.hpp"
#include "model/hybrid/phases.hpp"

namespace gable::model {
namespace {

constexpr int enough = 6;             // repetitions from which on an interval comes from order statistics
constexpr double of_normal = 1.4826;  // standard deviation to the median of the absolute deviations

static_assert(columns == slots);

using ByBandwidth = PerTransfer<Columns>;

// The standard error of each ln b: from its own interval if it has enough repetitions, otherwise the scatter
// of the mixed cells.
Spread spread_of(const PerTransfer<Bandwidth>& bandwidths, double sigma) {
  Spread spread = {};
  for (const Transfer x : transfers) {
    const auto& known = bandwidths[x].gb_per_s;
    if (known) spread[x] = known->n >= enough ? std::log(known->hi / known->lo) / (2 * normal_95) : sigma;
  }
  return spread;
}

std::vector<bool> clear_cells(const MixedGrid& grid, const Spread& spread) {
  std::vector<bool> clear(grid.cells.size());
  for (std::size_t i = 0; i < clear.size(); ++i)
    clear[i] = is_clear(grid.cells[i], grid.rows[i], grid.gb_per_s, spread, grid.law);
  return clear;
}

NormalEquations equations_of(const MixedGrid& grid, const std::vector<bool>& used) {
  NormalEquations equations;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) equations.add(grid.rows[i].row);
  }
  return equations;
}

// The typical residual; a few cells on the wrong side of a break do not affect it.
double typical_residual(const MixedGrid& grid, const Solution& solution) {
  std::vector<double> residuals;
  residuals.reserve(grid.cells.size());
  for (const CellRow& cell : grid.rows)
    residuals.push_back(std::abs(cell.row.of(solution.unknowns) - cell.row.target));
  return of_normal * upper_median(std::move(residuals));
}

struct Residuals {
  ByBandwidth by_bandwidth = {};  // the derivative of the right sides by ln b
  double squares = 0;
  int rows = 0;
};

void add(Residuals& sums, const MixedGrid& grid, std::size_t at_cell, const Columns& unknowns) {
  const CellRow& cell = grid.rows[at_cell];
  const Row& row = cell.row;
  const double residual = row.target - row.of(unknowns);
  Quantities falls = cell.dominating;  // the model's time, when ln b rises
  for (std::size_t i = 0; i < row.count; ++i) {
    if (row.columns[i] < slot(terms.front()))
      falls[row.columns[i] % 4U] += unknowns[row.columns[i]] * row.values[i];
  }
  if (has_terms(grid.law)) {
    const PerTerm<Quantities> slopes = term_slopes(grid.cells[at_cell], grid.gb_per_s, grid.law);
    for (const Term term : terms) {
      for (const Transfer x : transfers) falls[x] += unknowns[slot(term)] * slopes[term][x];
    }
  }
  for (const Transfer x : transfers) {
    for (std::size_t i = 0; i < row.count; ++i)
      sums.by_bandwidth[x][row.columns[i]] += row.values[i] * falls[x];
  }
  sums.squares += residual * residual;
  ++sums.rows;
}

Residuals residuals_of(const MixedGrid& grid, const std::vector<bool>& used, const Columns& unknowns) {
  Residuals sums;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) add(sums, grid, i, unknowns);
  }
  return sums;
}

// One step of iterative refinement: the unknowns with less rounding.
void refine(const MixedGrid& grid, const std::vector<bool>& used, Solution& solution) {
  Columns gradient = {};
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const Row& row = grid.rows[i].row;
    const double residual = row.target - row.of(solution.unknowns);
    for (std::size_t j = 0; j < row.count; ++j) gradient[row.columns[j]] += row.values[j] * residual;
  }
  const Columns step = product(solution.inverse, gradient);
  for (std::size_t column = 0; column < columns; ++column) solution.unknowns[column] += step[column];
}

// The covariance comes from the scatter of the cells, and from that of the bandwidths, on which every time of
// the model depends.
Covariance covariance_of(const Solution& solution, const Residuals& sums, double sigma,
                         const Spread& spread) {
  ByBandwidth moves;
  for (const Transfer x : transfers) {
    moves[x] = product(solution.inverse, sums.by_bandwidth[x]);
    moves[x][slot(x, x)] = 1;
  }
  Covariance covariance;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = sigma * sigma * solution.inverse[i][j];
      for (const Transfer x : transfers) sum += spread[x] * spread[x] * moves[x][i] * moves[x][j];
      covariance[i][j] = sum;
    }
  }
  return covariance;
}

// Uses `cells` if they determine at least `least` parameters.
bool use(const MixedGrid& grid, const std::vector<bool>& cells, int least, Regression& regression) {
  if (cells == regression.used) return true;
  Solution solution = equations_of(grid, cells).solve();
  if (solution.rank < least) return false;
  regression.used = cells;
  regression.solution = solution;
  return true;
}

// Adds the uncertain cells except those whose time the other assumption explains.
std::vector<bool> with_explained(const MixedGrid& grid, const Spread& doubt, const Solution& solution,
                                 std::vector<bool> cells, double typical) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i]) continue;
    const Row& one = grid.rows[i].row;
    const Row other = cell_row(grid.cells[i], grid.gb_per_s, grid.law, &doubt).row;
    const double off = std::abs(one.of(solution.unknowns) - one.target);
    const double other_off = std::abs(other.of(solution.unknowns) - other.target);
    cells[i] = off <= 2 * typical || other_off > off / 2 || !solution.determines(other);
  }
  return cells;
}

void choose_cells(const MixedGrid& grid, Regression& regression) {
  use(grid, std::vector<bool>(grid.cells.size(), true), 0, regression);
  use(grid, clear_cells(grid, Spread{}), regression.solution.rank, regression);
  const Spread doubt = spread_of(grid.bandwidths, typical_residual(grid, regression.solution));
  const std::vector<bool> clear = clear_cells(grid, doubt);
  use(grid, clear, regression.solution.rank, regression);
  const double typical = typical_residual(grid, regression.solution);
  use(grid, with_explained(grid, doubt, regression.solution, clear, typical), regression.solution.rank,
      regression);
}

}  // namespace

MixedGrid::MixedGrid(const std::vector<Cell>& all_cells, const PerTransfer<Bandwidth>& all_bandwidths, Law of)
    : cells(all_cells), bandwidths(all_bandwidths), gb_per_s(known_bandwidths(bandwidths)), law(of) {
  rows.reserve(cells.size());
  for (const Cell& cell : cells) rows.push_back(cell_row(cell, gb_per_s, law));
}

Regression regress(const MixedGrid& grid) {
  Regression regression;
  regression.sigma = std::numeric_limits<double>::quiet_NaN();
  if (grid.cells.empty()) return regression;
  choose_cells(grid, regression);
  const std::vector<bool>& used = regression.used;
  Solution& solution = regression.solution;
  refine(grid, used, solution);
  const Residuals sums = residuals_of(grid, used, solution.unknowns);
  const int freedom = sums.rows - solution.rank;
  if (freedom > 0) regression.sigma = std::sqrt(sums.squares / freedom);
  regression.covariance =
      covariance_of(solution, sums, regression.sigma, spread_of(grid.bandwidths, regression.sigma));
  return regression;
}

}  // namespace gable::model
