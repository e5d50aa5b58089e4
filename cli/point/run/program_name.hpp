#pragma once

// What a user calls the program that a command runs.

#include <span>
#include <string>

namespace gable::cli {

/// The file name of the program; behind launchers (env, numactl, mpirun, ...) that of the program that they
/// start, behind an interpreter (bash, python3, ...) that of the script. Where these cannot be found among
/// the arguments, the file name of the launcher or interpreter.
std::string program_name(std::span<const std::string> command);

}  // namespace gable::cli
