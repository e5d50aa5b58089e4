#pragma once

// Figures and intervals as the cells of all tables.

#include <string>

#include "base/tables/table.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// "0.4 %": the distance to the further end of the interval, rounded up; "0.50 to 9.25": its ends where that
/// is more than 100 % of the value; empty where both ends are the value.
std::string interval_text(double value, double lo, double hi);

/// The same of an ok roof; "?" where it has no interval: a single repetition, or a source that gives none.
std::string interval_cell(const model::Roof& roof);

/// "36.10 ±0.4 %", "3.12 (0.50 to 9.25)": with what interval_text() says; the value alone where that is
/// empty. `unit` follows the value.
Cell with_interval(double value, double lo, double hi, const std::string& unit = "");

/// The same of a roof; "36.10 ±?" of a single repetition; of a source that gives no
/// interval the value alone.
Cell figure_cell(const model::Roof& roof);

}  // namespace gable::cli
