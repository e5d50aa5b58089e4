#pragma once

// Whether the roofs that decide about a program still hold: a virtual machine's may change within an hour.

#include <string>
#include <vector>

#include "cli/points_file.hpp"
#include "machines/machine.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// Measures the roofs of the Point's two largest needs again, a third of a second each, and returns a note on
/// each whose interval is now another one: both values and what to do. Only roofs of one cluster's caches and
/// of one memory node can be measured so. Nothing of a roof where other processes disturbed the measurement.
model::Notes stale_roofs(const machines::Machine& machine, const Background& background,
                         const model::Point& point);

/// Whether the roof is another one now: the intervals are apart, the values differ by more than 5 %, and the
/// new one is steady (a tenth of its value). Otherwise a disturbance may come and go.
bool has_changed(const model::Roof& before, const model::Roof& now);

}  // namespace gable::cli
