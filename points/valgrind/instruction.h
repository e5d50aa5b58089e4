#pragma once

// What one guest instruction does, from the IR that VEX made of it, and the few places where VEX's way of
// expressing an instruction is not what the instruction does.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/tally.h"

typedef struct {
  UInt counts[COUNTERS];  // what it does whenever it is executed
  UInt subtractions[SHAPES];
  UInt multiply_adds[2];  // lanes of FMA met so far, SP and DP
  Bool wide;              // encoded with VEX.L: 256 bits
  Bool no_memory;         // accesses are the translator's own
  Bool no_load;           // likewise, loads alone
  Bool is_gather;         // lanes that are not active load from a place that is the translator's own
} Instruction;

// Begins the instruction at this address.
void instruction_begin(Instruction* instruction, Addr address, UInt bytes);

// Takes note of a floating-point operation; any other is ignored.
void instruction_operation(Instruction* instruction, IROp operation);

// Ends it: puts right what is known only now, such as the width of an FMA. May be called in the middle of an
// instruction, before it may leave the block, with what follows as another.
void instruction_end(Instruction* instruction);
