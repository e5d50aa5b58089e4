#pragma once

// What Valgrind cannot run on this architecture: one file per architecture.

#include <cstdint>
#include <string>
#include <vector>

namespace gable::points {

/// Programs of this architecture: e_machine of an ELF header, and its name.
struct ProgramKind {
  std::uint16_t machine;
  const char* name;
};
extern const ProgramKind program_kind;

/// An extension of the instruction set, and how to compile a program without it.
struct Extension {
  std::string name, cure;
};

/// The extension to which an instruction belongs that Valgrind could not decode; without a name if it is
/// none that whole programs can be compiled without. `code`: its first bytes, at most five.
Extension unsupported_extension(const std::vector<std::uint8_t>& code);

/// Whether the instruction is one that no CPU executes: compilers end a program with it that must not go on.
bool is_trap(const std::vector<std::uint8_t>& code);

}  // namespace gable::points
