#include "model/hybrid/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/hybrid/phases.hpp"

namespace gable::model {
namespace {

constexpr double tie = 2e-9;           // ln: a little more than what counts as equal
constexpr double negligible = 0.01;    // shorter phases, as a share of the cell, are never uncertain
constexpr double standard_errors = 3;  // distance of two times at which one certainly dominates

void add_phase(CellRow& cell, const Quantities& seconds, Transfer x, double measured) {
  cell.dominating[x] += seconds[x] / measured;
  cell.fixed += seconds[x] / measured;
  for (const Transfer y : transfers) {
    if (y != x && seconds[y] > 0) cell.row.add(slot(x, y), seconds[y] / measured);
  }
}

// The law's terms of all phases together.
void add_terms(CellRow& row, const Cell& cell, const Phases& phases, const Quantities& gb_per_s) {
  PerTerm<double> sums = {};
  for (const Quantities& bytes : phases) {
    const PerTerm<TermTime> times = term_times(bytes, times_of(bytes, gb_per_s));
    for (const Term term : terms) sums[term] += times[term].seconds;
  }
  for (const Term term : terms) {
    if (sums[term] > 0) row.row.add(slot(term), sums[term] / cell.seconds.value);
  }
}

bool in_doubt(const Margin& ahead, const Spread& spread) {
  const double doubt = std::hypot(spread[ahead.first], spread[ahead.second]);
  return std::abs(ahead.log_ratio) < tie + standard_errors * doubt;
}

}  // namespace

CellRow cell_row(const Cell& cell, const Quantities& gb_per_s, Law law, const Spread* doubt) {
  CellRow row;
  row.closest = std::numeric_limits<double>::infinity();
  const double whole = total(times_of(cell.bytes, gb_per_s));
  const Phases phases = phases_of(cell.bytes, law);
  for (const Quantities& bytes : phases) {
    const Quantities seconds = times_of(bytes, gb_per_s);
    const Margin ahead = margin(seconds);
    const bool other = doubt != nullptr && in_doubt(ahead, *doubt);
    add_phase(row, seconds, other ? ahead.second : ahead.first, cell.seconds.value);
    if (total(seconds) >= negligible * whole) row.closest = std::min(row.closest, std::abs(ahead.log_ratio));
  }
  if (has_terms(law)) add_terms(row, cell, phases, gb_per_s);
  row.row.target = 1 - row.fixed;
  return row;
}

PerTerm<Quantities> term_slopes(const Cell& cell, const Quantities& gb_per_s, Law law) {
  PerTerm<Quantities> slopes = {};
  if (!has_terms(law)) return slopes;
  for (const Quantities& bytes : phases_of(cell.bytes, law)) {
    const PerTerm<TermTime> times = term_times(bytes, times_of(bytes, gb_per_s));
    for (const Term term : terms) {
      for (const Transfer x : transfers) slopes[term][x] += times[term].slope[x] / cell.seconds.value;
    }
  }
  return slopes;
}

bool is_clear(const Cell& cell, const CellRow& row, const Quantities& gb_per_s, const Spread& spread,
              Law law) {
  const double most = *std::ranges::max_element(spread);
  if (row.closest >= tie + standard_errors * std::sqrt(2.0) * most)
    return true;  // then the transfers do not matter
  const double whole = total(times_of(cell.bytes, gb_per_s));
  for (const Quantities& bytes : phases_of(cell.bytes, law)) {
    const Quantities seconds = times_of(bytes, gb_per_s);
    if (total(seconds) >= negligible * whole && in_doubt(margin(seconds), spread)) return false;
  }
  return true;
}

}  // namespace gable::model
