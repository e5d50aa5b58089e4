#pragma once

// What gable point run finds out beside the runs: the name of the program, and whether counters and roofs
// hold.

#include <span>
#include <string>

#include "cli/points_file.hpp"
#include "machines/machine.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// What a user calls the program that a command runs: the file name of the program; behind launchers (env,
/// numactl, mpirun, ...) that of the program that they start, behind an interpreter (bash, python3, ...) that
/// of the script. Where these cannot be found among the arguments, the file name of the launcher or
/// interpreter.
std::string program_name(std::span<const std::string> command);

/// Runs kernels with known flops under the hardware counters and prints their errors on stderr. Throws
/// Error::failed if an error exceeds 1 %; such counters are not used.
void require_true_pmu();

/// Whether the roofs that decide about a program still hold: a virtual machine's may change within an hour.
/// Measures the roofs of the Point's two largest needs again, a third of a second each, and returns a note on
/// each whose interval is now another one: both values and what to do. Only roofs of one cluster's caches and
/// of one memory node can be measured so. Nothing of a roof where other processes disturbed the measurement.
model::Notes stale_roofs(const machines::Machine& machine, const Background& background,
                         const model::Point& point);

/// Whether the roof is another one now: the intervals are apart, the values differ by more than 5 %, and the
/// new one is steady (a tenth of its value). Otherwise a disturbance may come and go.
bool has_changed(const model::Roof& before, const model::Roof& now);

}  // namespace gable::cli
