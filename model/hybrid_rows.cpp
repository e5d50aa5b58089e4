#include "model/hybrid_rows.hpp"

#include <cmath>

#include "model/phases.hpp"

namespace gable::model {
namespace {

constexpr double tie = 2e-9;           // ln: a little more than what counts as equal
constexpr double negligible = 0.01;    // share of the cell's time below which a phase may be taken either way
constexpr double standard_errors = 3;  // between the bandwidths of two transfers until one surely dominates

void add_phase(CellRow& cell, const Quantities& seconds, Transfer x, double measured) {
  cell.dominating[x] += seconds[x] / measured;
  cell.fixed += seconds[x] / measured;
  for (const Transfer y : transfers) {
    if (y != x && seconds[y] > 0) cell.row.add(slot(x, y), seconds[y] / measured);
  }
}

bool in_doubt(const Margin& ahead, const Spread& spread) {
  const double doubt = std::hypot(spread[ahead.first], spread[ahead.second]);
  return std::abs(ahead.log_ratio) < tie + standard_errors * doubt;
}

}  // namespace

CellRow cell_row(const Cell& cell, const Quantities& gb_per_s, Law law) {
  CellRow row;
  for (const Quantities& bytes : phases_of(cell.bytes, law)) {
    const Quantities seconds = times_of(bytes, gb_per_s);
    add_phase(row, seconds, dominating(seconds), cell.seconds.value);
  }
  row.row.target = 1 - row.fixed;
  return row;
}

CellRow other_reading(const Cell& cell, const Quantities& gb_per_s, const Spread& spread, Law law) {
  CellRow row;
  for (const Quantities& bytes : phases_of(cell.bytes, law)) {
    const Quantities seconds = times_of(bytes, gb_per_s);
    const Margin ahead = margin(seconds);
    add_phase(row, seconds, in_doubt(ahead, spread) ? ahead.second : ahead.first, cell.seconds.value);
  }
  row.row.target = 1 - row.fixed;
  return row;
}

bool is_clear(const Cell& cell, const Quantities& gb_per_s, const Spread& spread, Law law) {
  const double whole = total(times_of(cell.bytes, gb_per_s));
  for (const Quantities& bytes : phases_of(cell.bytes, law)) {
    const Quantities seconds = times_of(bytes, gb_per_s);
    if (total(seconds) >= negligible * whole && in_doubt(margin(seconds), spread)) return false;
  }
  return true;
}

}  // namespace gable::model
