#include "tests/model/referee/turns.hpp"

#include <cmath>

#include "model/hybrid_rows.hpp"
#include "model/phases.hpp"
#include "model/regression.hpp"

namespace gable::model {
namespace {

constexpr std::size_t folds = 10;

std::size_t fold_of(std::size_t i) {
  return i * 7 % folds;  // cells that lie side by side in the grid are in different ones
}

double turns(const Quantities& seconds, Transfer load, Transfer store) {
  const double l = seconds[load], s = seconds[store];
  return l > 0 && s > 0 ? l * s / (l + s) : 0;
}

Row row_with_turns(const Cell& cell, const Quantities& gb_per_s) {
  Row row = cell_row(cell, gb_per_s, Law::phased).row;
  double slow = 0, fast = 0;
  for (const Quantities& bytes : phases_of(cell.bytes, Law::phased)) {
    const Quantities seconds = times_of(bytes, gb_per_s);
    slow += turns(seconds, Transfer::ls, Transfer::ss) / cell.seconds.value;
    fast += turns(seconds, Transfer::lf, Transfer::sf) / cell.seconds.value;
  }
  if (slow > 0) row.add(slot(Transfer::ls, Transfer::ls), slow);  // columns that no theta has
  if (fast > 0) row.add(slot(Transfer::lf, Transfer::lf), fast);
  return row;
}

double held_out(const std::vector<Row>& rows) {
  double squares = 0;
  int told = 0;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    NormalEquations equations;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (fold_of(i) != fold) equations.add(rows[i]);
    }
    const Solution solution = equations.solve();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (fold_of(i) != fold || !solution.determines(rows[i])) continue;
      squares += std::pow(rows[i].of(solution.unknowns) - rows[i].target, 2);
      ++told;
    }
  }
  return 100 * std::sqrt(squares / told);
}

}  // namespace

TurnErrors errors_with_turns(const std::vector<Cell>& cells, const HybridFit& fit) {
  Quantities gb_per_s = {};
  for (const Transfer x : transfers) gb_per_s[x] = fit.bandwidths[x].gb_per_s->value;
  std::vector<Row> phased, with_turns;
  for (const Cell& cell : cells) {
    if (is_pure(cell.bytes)) continue;
    phased.push_back(cell_row(cell, gb_per_s, Law::phased).row);
    with_turns.push_back(row_with_turns(cell, gb_per_s));
  }
  return {held_out(phased), held_out(with_turns)};
}

}  // namespace gable::model
