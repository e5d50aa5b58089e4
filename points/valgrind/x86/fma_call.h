#pragma once

// The call that does a fused multiply-add on the guest's registers.

#include <pub_tool_basics.h>

#include "guest.h"

// Whether the CPU has the instruction.
Bool cpu_has_fma(void);

// Registers are numbers of the guest's ymm registers.
typedef struct {
  UInt to;      // the result and the first operand
  UInt second;  // the second operand
  UInt third;   // the third operand, if it is no memory
  UInt opcode;  // Intel SDM volume 2, VFMADD132PD and others: 0x96 to 0xbf
  Bool is_memory, is_double, is_256;
} Fma;

static inline Bool fma_is_scalar(const Fma* fma) {
  return (fma->opcode & 15) >= 8 && (fma->opcode & 1);
}

// A call that does this fused multiply-add. Its arguments besides the guest: what `fma_packed` returns, and
// the address of the operand in memory, or 0.
typedef VG_REGPARM(3) void (*FmaCall)(GuestState* guest, UWord packed, Addr memory);

FmaCall fma_call_of(const Fma* fma);
UWord fma_packed(const Fma* fma);
