#pragma once

// Instructions a cycle as a table.

#include <string>

#include "cli/recorded_machine.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::cli {

/// A table by cluster of the vector instructions that one core executed in a cycle, beside what it can do in
/// theory (LARM paper, tables 1 and 3). If no clock was measured, what the source of a published machine
/// says, or nothing. `machine` may be null: nothing is known then of the cores.
std::string core_table(const model::Roofs& roofs, const RecordedMachine* machine);

}  // namespace gable::cli
