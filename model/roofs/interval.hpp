#pragma once

// How all tables and charts print an interval: as the distance to its further end.

#include <optional>

#include "model/records/records.hpp"

namespace gable::model {

/// The distance to the further end of the interval, in percent of the value, rounded up to a tenth. Nothing
/// if there is no interval, or no value above 0.
std::optional<double> interval_percent(double value, double lo, double hi);
std::optional<double> interval_percent(const Roof& roof);

/// Whether an interval is known: not of a single repetition, nor of a publication that gives none.
bool has_interval(const Roof& roof);

/// Whether `lo` and `hi` are a 95 % interval: the ± of a publication may mean anything else.
bool is_95_interval(const Roof& roof);

/// How an interval is printed.
enum class IntervalForm {
  none,     ///< both ends are the value
  percent,  ///< no further than ±100 %: the distance to the further end
  ends,     ///< further: both ends
  unknown   ///< an end is a factor of `widest_interval` from the value: two visits that differ, for example
};
IntervalForm interval_form(double value, double lo, double hi);
IntervalForm interval_form(const Roof& roof);

/// The explanation below a table.
inline constexpr const char* interval_rule = "± is the distance to the further end of the 95 % interval";

}  // namespace gable::model
