#pragma once

// What only the encoding of an instruction shows, and VEX's IR does not: one file per architecture.

#include "points/valgrind/instruction.h"

// Sets what the encoding at this address says.
void encoding_begin(Instruction* instruction, Addr address, UInt bytes);

// Corrects the counts of what VEX expresses by other operations.
void encoding_end(Instruction* instruction);
