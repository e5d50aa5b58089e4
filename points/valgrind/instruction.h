#pragma once

// The effect of one guest instruction, from the IR that VEX made of it, corrected in the few cases where VEX
// expresses an instruction by other operations.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/tally.h"

typedef struct {
  Addr address;
  UInt counts[COUNTERS];  // its effect at every execution
  UInt subtractions[SHAPES];
  UInt multiply_adds[2];  // lanes of FMA met so far, SP and DP
  Bool wide;              // x86: encoded with VEX.L: 256 bits
  Bool is_fused;          // AArch64: a multiply-add, which VEX multiplies and adds
  Bool is_scalar;         // AArch64: advanced SIMD with one lane, for which VEX computes a vector
  Bool is_half;           // AArch64: advanced SIMD with vectors of 64 bits
  Bool no_memory;         // accesses are the translator's own
  Bool no_load;           // likewise, for loads only
  Bool is_streaming;      // x86: stores past the caches (non-temporal)
  Bool is_string;      // x86: copies or sets a string (rep movs, rep stos), of which cores take whole lines
  Bool is_repetition;  // a string instruction after its first element
  UInt loads;          // in a profile: accesses
  Bool sets_vector;    // a vector register
  Bool is_gather;      // inactive lanes load from a location of the translator's own
  Bool loads_once;     // x86: all that it loads, which VEX may load lane by lane
} Instruction;

// Begins the instruction at this address.
void instruction_begin(Instruction* instruction, Addr address, UInt bytes);

// Registers a floating-point operation; others are ignored.
void instruction_operation(Instruction* instruction, IROp operation);

// Registers that it sets a register: it computes with integers if that is a general register, other than the
// stack pointer, and gets what was computed, or if it sets the flags. Its loads are into vector registers if
// it sets one. `out` has what was emitted so far.
void instruction_put(Instruction* instruction, const IRSB* out, const IRStmt* put);

// Ends it and applies corrections that are known only now, such as the width of an FMA. May be called within
// an instruction, before it may leave the block; the rest then counts as another instruction.
void instruction_end(Instruction* instruction);
