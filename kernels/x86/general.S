// General registers of x86-64: the pointer chase and the clock.

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

#include "kernels/ops_general.inc"

.section .note.GNU-stack, "", @progbits
