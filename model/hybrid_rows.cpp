#include "model/hybrid_rows.hpp"

#include <cmath>

#include "model/phases.hpp"

namespace gable::model {
namespace {

constexpr double tie = 2e-9;           // ln: a little more than what counts as equal
constexpr double negligible = 0.01;    // share of the cell's time below which a phase may be taken either way
constexpr double standard_errors = 3;  // between the bandwidths of two transfers until one surely dominates

}  // namespace

CellRow cell_row(const Cell& cell, const Quantities& gb_per_s, Law law) {
  CellRow cell_row;
  const double measured = cell.seconds.value;
  for (const Quantities& bytes : phases_of(cell.bytes, law)) {
    const Quantities seconds = times_of(bytes, gb_per_s);
    const Transfer x = dominating(seconds);
    cell_row.dominating[x] += seconds[x] / measured;
    cell_row.fixed += seconds[x] / measured;
    for (const Transfer y : transfers) {
      if (y != x && seconds[y] > 0) cell_row.row.add(slot(x, y), seconds[y] / measured);
    }
  }
  cell_row.row.target = 1 - cell_row.fixed;
  return cell_row;
}

bool is_clear(const Cell& cell, const Quantities& gb_per_s, const Spread& spread, Law law) {
  const double whole = total(times_of(cell.bytes, gb_per_s));
  for (const Quantities& bytes : phases_of(cell.bytes, law)) {
    const Quantities seconds = times_of(bytes, gb_per_s);
    if (total(seconds) < negligible * whole) continue;
    const Margin ahead = margin(seconds);
    const double doubt = std::hypot(spread[ahead.first], spread[ahead.second]);
    if (std::abs(ahead.log_ratio) < tie + standard_errors * doubt) return false;
  }
  return true;
}

}  // namespace gable::model
