#pragma once

// This program's own code as disassembled by objdump.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gable::tests {

struct Instruction {
  std::uint64_t address;
  std::string mnemonic;
  std::string operands;  ///< AT&T syntax: the destination is last
};

/// The instructions of every function, by symbol; empty without objdump.
const std::map<std::string, std::vector<Instruction>>& disassembly();

/// The instructions of the loop: from the target of the last backward branch to that branch.
std::vector<Instruction> loop_of(const std::vector<Instruction>& function);

/// The work of one loop iteration.
struct Counts {
  std::uint32_t load_bytes = 0;
  std::uint32_t store_bytes = 0;
  std::uint32_t flops = 0;
  std::map<std::string, std::vector<std::int64_t>>
      offsets;                                ///< of the accesses, by pointer register, in order
  std::map<std::string, std::int64_t> steps;  ///< the loop's advance of each pointer register
};
Counts count(const std::vector<Instruction>& loop);

}  // namespace gable::tests
