#pragma once

// This program's own code as objdump shows it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gable::tests {

struct Instruction {
  std::uint64_t address;
  std::string mnemonic;
  std::string operands;  ///< AT&T syntax: the destination stands last
};

/// The instructions of every function, by symbol; empty where there is no objdump.
const std::map<std::string, std::vector<Instruction>>& disassembly();

/// The instructions of the loop: from the target of the last backward branch to that branch.
std::vector<Instruction> loop_of(const std::vector<Instruction>& function);

/// What a loop does in one iteration.
struct Counts {
  std::uint32_t load_bytes = 0;
  std::uint32_t store_bytes = 0;
  std::uint32_t flops = 0;
  std::map<std::string, std::vector<std::int64_t>>
      offsets;                                ///< of the accesses, by pointer register, in order
  std::map<std::string, std::int64_t> steps;  ///< how far the loop moves each pointer register
};
Counts count(const std::vector<Instruction>& loop);

}  // namespace gable::tests
