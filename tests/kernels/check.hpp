#pragma once

// The checker of kernels: each against its C++ reference, in memory between guard pages, with every preserved
// register watched. GoogleTest and the program that runs under Bochs share it.

#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace gable::tests {

/// What is wrong with the kernel, one sentence a fault; empty when it is right. A kernel that touches memory
/// outside its streams is a fault too where signals are delivered, and otherwise ends the process.
std::vector<std::string> faults(const kernels::Kernel& kernel);

/// What is wrong with the counts of the table entry alone: against the operation's name, and against each
/// other.
std::vector<std::string> entry_faults(const kernels::Kernel& kernel);

/// The kernels of tests/kernels/sabotage.S, each broken in one way that its isa names.
std::span<const kernels::Kernel> sabotaged();

}  // namespace gable::tests
