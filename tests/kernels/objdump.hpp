#pragma once

// This program's own code as disassembled by objdump.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace gable::tests {

struct Instruction {
  std::uint64_t address;
  std::string mnemonic;
  std::string operands;  ///< as objdump writes them; of x86, AT&T syntax
};

/// The instructions of every function, by symbol; empty without objdump.
const std::map<std::string, std::vector<Instruction>>& disassembly();

/// The instructions of the loop: from the target of the last backward branch to that branch.
std::vector<Instruction> loop_of(const std::vector<Instruction>& function);

/// What an instruction does, as far as kernels are concerned.
struct Effect {
  std::uint32_t load_bytes = 0, store_bytes = 0, flops = 0;
  bool non_temporal = false;
  bool fences = false;
  bool writes_back = false;  ///< the line at pointer + offset
  bool branches = false;
  std::string pointer;      ///< register of the address of the access or write-back, or that is advanced
  std::int64_t offset = 0;  ///< from the pointer
  std::string base;         ///< pointer = base + offset, where this is not empty
};

/// The effect by the architecture's own reading (tests/kernels/x86, tests/kernels/aarch64).
Effect effect_of(const Instruction& instruction);

/// Chains and random_apart compute with scalars, although they are of the ISA of general registers.
inline bool has_scalars(const kernels::Kernel& kernel) {
  return kernel.kind == kernels::Kind::chain || (kernel.kind == kernels::Kind::random && kernel.flops > 0);
}

/// An instruction of the kernel with registers of another ISA, or "no vector"; empty if there is neither.
std::string foreign_registers(const kernels::Kernel& kernel, const std::vector<Instruction>& code);

struct Access {
  std::int64_t offset;
  std::uint32_t bytes;
};

/// The work of some instructions.
struct Counts {
  std::uint32_t load_bytes = 0, store_bytes = 0, flops = 0, non_temporal_bytes = 0;
  int fences = 0;
  bool fenced_last = false;                             ///< a fence follows the last access
  std::map<std::string, std::vector<Access>> accesses;  ///< by pointer register, in order
  std::map<std::string, std::int64_t> steps;            ///< the advance of each pointer register
  std::vector<std::int64_t> written_back;               ///< offsets of lines
  int stores_after_write_back = 0;
};
Counts count(const std::vector<Instruction>& code);

}  // namespace gable::tests
