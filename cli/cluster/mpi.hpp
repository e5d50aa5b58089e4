#pragma once

// What gable-mpi recorded, as tables.

#include "cli/text/titled_table.hpp"
#include "model/cluster/mpi.hpp"

namespace gable::cli {

/// Every measurement with its interval, or why it has none; without records it is empty.
TitledTable mpi_table(const model::MpiRecords& records);
/// The clocks of the nodes beside the first one's.
TitledTable clock_table(const model::MpiRecords& records);

}  // namespace gable::cli
