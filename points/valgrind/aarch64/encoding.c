#include "points/valgrind/encoding.h"

// Bit fields are those of the Arm Architecture Reference Manual (DDI 0487), chapter C4.

static Bool has(UInt word, UInt mask, UInt bits) {
  return (word & mask) == bits;
}

// FMADD, FMSUB, FNMADD, FNMSUB; FMLA and FMLS of vectors, and by an element
static Bool is_multiply_add(UInt word) {
  return has(word, 0xff000000, 0x1f000000) || has(word, 0xbf20fc00, 0x0e20cc00) ||
         has(word, 0xaf80b400, 0x0f801000);
}

// STXR, STLXR, STXP, STLXP: where Valgrind has no store-conditional it compares and swaps.
static Bool is_store_exclusive(UInt word) {
  return has(word, 0x3fc00000, 0x08000000) && !has(word, 0x80200000, 0x00200000);  // CASP
}

void encoding_begin(Instruction* instruction, Addr address, UInt bytes) {
  if (bytes != 4) return;
  const UInt word = *(const UInt*)address;
  instruction->is_fused = is_multiply_add(word);
  instruction->no_load = is_store_exclusive(word);
  instruction->is_scalar = has(word, 0xde000000, 0x5e000000);
  instruction->is_half = has(word, 0xde000000, 0x0e000000);
}

// VEX computes all lanes of 128 bits, and clears those that the instruction has not.
static void narrow(Instruction* instruction) {
  for (Operation operation = ADD; operation < OPERATIONS; ++operation) {
    UInt* const of = &instruction->counts[flops_index(operation, 0)];
    if (instruction->is_scalar) {
      of[SP_SCALAR] += of[SP_128] / 4;
      of[DP_SCALAR] += of[DP_128] / 2;
      of[SP_128] = of[DP_128] = 0;
    } else if (instruction->is_half) {
      of[SP_128] /= 2;
    }
  }
}

static void fuse(Instruction* instruction) {
  for (Shape shape = 0; shape < SHAPES; ++shape) {
    UInt* const products = &instruction->counts[flops_index(MUL, shape)];
    UInt* const sums = &instruction->counts[flops_index(ADD, shape)];
    instruction->counts[flops_index(FMA, shape)] += *products + *sums;
    *products = *sums = 0;
  }
}

void encoding_end(Instruction* instruction) {
  narrow(instruction);
  if (instruction->is_fused) fuse(instruction);
}
