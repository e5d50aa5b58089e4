// General registers of AArch64: the pointer chase, the clock, and additions side by side.

#define ISA aarch64
#define VECTOR_BYTES 8
#define ISA_FEATURES 0

#include "kernels/aarch64/frame.inc"

.macro V_ENTER
.endm

.macro V_LEAVE
.endm

.macro G_GET
  ldr x2, [x0, ARG_CURSOR]
.endm

.macro G_PUT
  str x2, [x0, ARG_CURSOR]
.endm

// Follows the pointer in the register: loads the next pointer from its address.
.macro G_FOLLOW
  ldr x2, [x2]
.endm

.macro G_ONE
  mov x3, 1
.endm

.macro G_ADD
  add x2, x2, x3
.endm

// The five other chains of additions.
.macro G_CLEAR_OTHERS
  .irp chain, x4, x5, x6, x7, x8
    mov \chain, xzr
  .endr
.endm

.macro G_ADD_OTHERS
  .irp chain, x4, x5, x6, x7, x8
    add \chain, \chain, x3
  .endr
.endm

.macro G_SUM_OTHERS
  .irp chain, x4, x5, x6, x7, x8
    add x2, x2, \chain
  .endr
.endm

#include "kernels/ops_general.inc"

.section .note.GNU-stack, "", @progbits
