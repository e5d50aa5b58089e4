#pragma once

// The checker of kernels: each against its C++ reference, in memory between guard pages, with every preserved
// register watched. GoogleTest and the program that runs under Bochs share it.

#include <ostream>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace gable::tests {

/// The kernel's faults, one sentence each; empty if it is right. Accesses outside of its streams
/// are reported as faults if signals are delivered, and otherwise end the process.
std::vector<std::string> faults(const kernels::Kernel& kernel);

/// Faults in the counts of the table entry, compared with the operation's name and with each
/// other.
std::vector<std::string> entry_faults(const kernels::Kernel& kernel);

/// The kernels of tests/kernels/ARCHITECTURE/sabotage.S, each broken in the way named by its isa.
std::span<const kernels::Kernel> sabotaged();

struct Broken {
  const char* isa;    ///< names the fault
  const char* fault;  ///< part of the expected fault; empty if nothing is broken
};

inline std::ostream& operator<<(std::ostream& out, const Broken& broken) {
  return out << broken.isa;
}

/// What the checker must say of each of them; those for the disassembly are left out.
std::vector<Broken> broken_kernels();
/// The kernels among them that break this architecture's rules for calls.
std::vector<Broken> broken_calls();

}  // namespace gable::tests
