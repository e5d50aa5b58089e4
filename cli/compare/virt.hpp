#pragma once

// What virtualization costs in several folders, beside each other.

#include <vector>

#include "base/tables/table.hpp"
#include "cli/compare/compared.hpp"
#include "plots/charts/chart.hpp"

namespace gable::cli {

/// Environments; overheads in per cent with intervals and significance; run times (as in the Palacios paper's
/// figure 13); noise. Empty where no folder has anything of virtualization; where only some have, a note says
/// how to get the rest.
std::vector<Table> compared_virt_tables(const Compared& compared);

/// Page walks, noise, and relative performance (figure 12), of the folders that have them.
std::vector<charts::Chart> virt_charts(const Compared& compared);

}  // namespace gable::cli
