// General registers of x86-64: the pointer chase, the clock, and additions side by side.

#define ISA x86
#define VECTOR_BYTES 8
#define ISA_FEATURES 0

#include "kernels/table.inc"

.macro V_LEAVE
.endm

.macro G_GET
  mov ARG_CURSOR(%rdi), %rcx
.endm

.macro G_PUT
  mov %rcx, ARG_CURSOR(%rdi)
.endm

// Follows the pointer in the register: loads the next pointer from its address.
.macro G_FOLLOW
  mov (%rcx), %rcx
.endm

.macro G_ONE
  mov $1, %edx
.endm

.macro G_ADD
  add %rdx, %rcx
.endm

// The five other chains of additions.
.macro G_CLEAR_OTHERS
  .irp chain, rsi, r8, r9, r10, r11
    xor %\chain, %\chain
  .endr
.endm

.macro G_ADD_OTHERS
  .irp chain, rsi, r8, r9, r10, r11
    add %rdx, %\chain
  .endr
.endm

.macro G_SUM_OTHERS
  .irp chain, rsi, r8, r9, r10, r11
    add %\chain, %rcx
  .endr
.endm

#include "kernels/ops_general.inc"

.section .note.GNU-stack, "", @progbits
