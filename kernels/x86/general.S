// General registers of x86-64: pointer chases and the clock.

#define ISA x86
#define VECTOR_BYTES 8
#define ISA_FEATURES 0

#include "kernels/table.inc"

.macro V_LEAVE
.endm

#define HEADS_1 rcx
#define HEADS_2 HEADS_1, rdx
#define HEADS_4 HEADS_2, rsi, r8
#define HEADS_8 HEADS_4, r9, r10, r11, rbx
#define HEADS_12 HEADS_8, rbp, r12, r13, r14
#define COUNT rcx

.macro G_SAVE
  .irp saved, rbx, rbp, r12, r13, r14
    push %\saved
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %\saved, 0
  .endr
.endm

.macro G_RESTORE
  .irp saved, r14, r13, r12, rbp, rbx
    pop %\saved
    .cfi_adjust_cfa_offset -8
    .cfi_restore %\saved
  .endr
.endm

.macro G_GET offset, to
  mov \offset(%rdi), %\to
.endm

.macro G_PUT from, offset
  mov %\from, \offset(%rdi)
.endm

// Follows the pointer in a register: loads the next pointer from its address.
.macro G_FOLLOW head
  mov (%\head), %\head
.endm

.macro G_ONE
  mov $1, %edx
.endm

.macro G_ADD
  add %rdx, %rcx
.endm

#include "kernels/ops_general.inc"

.section .note.GNU-stack, "", @progbits
