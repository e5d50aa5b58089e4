// General registers: pointer chases and the clock.

#define ISA x86
#define VECTOR_BYTES 8
#define ISA_FEATURES 0

#include "kernels/table.inc"

.macro V_LEAVE
.endm

#define CHASE_STEPS 8   /* steps of every chain in one iteration */

// Follows the pointer in a register: loads the next pointer from its address.
.macro FOLLOW head
  mov (%\head), %\head
  .set load_bytes, load_bytes + VECTOR_BYTES
.endm

.macro FOLLOW_ALL heads:vararg
  .rept CHASE_STEPS
    .irp head, \heads
      FOLLOW \head
    .endr
  .endr
.endm

.macro TAKE_HEADS heads:vararg
  .irp head, \heads
    mov ARG_CURSOR + 8 * chains(%rdi), %\head
    .set chains, chains + 1
  .endr
.endm

.macro GIVE_HEADS heads:vararg
  .set head_index, 0
  .irp head, \heads
    mov %\head, ARG_CURSOR + 8 * head_index(%rdi)
    .set head_index, head_index + 1
  .endr
.endm

// chase, chaseK: K independent chains of dependent loads, heads in cursor.
.macro DEFINE_CHASE op, heads:vararg
  KERNEL \op, KIND_CHASE
  .irp saved, rbx, rbp, r12, r13, r14
    push %\saved
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %\saved, 0
  .endr
  TAKE_HEADS \heads
  LOOP
  FOLLOW_ALL \heads
  AGAIN
  GIVE_HEADS \heads
  .irp saved, r14, r13, r12, rbp, rbx
    pop %\saved
    .cfi_adjust_cfa_offset -8
    .cfi_restore %\saved
  .endr
  FINISH
.endm

DEFINE_CHASE chase, rcx
DEFINE_CHASE chase2, rcx, rdx
DEFINE_CHASE chase4, rcx, rdx, rsi, r8
DEFINE_CHASE chase8, rcx, rdx, rsi, r8, r9, r10, r11, rbx
DEFINE_CHASE chase12, rcx, rdx, rsi, r8, r9, r10, r11, rbx, rbp, r12, r13, r14

// clock: dependent additions of two registers, which no core eliminates. cursor[0]
// counts them.
KERNEL clock, KIND_CLOCK
mov ARG_CURSOR(%rdi), %rcx
mov $1, %edx
LOOP
.rept 64
  add %rdx, %rcx
  .set cycles, cycles + 1
.endr
AGAIN
mov %rcx, ARG_CURSOR(%rdi)
FINISH

.section .note.GNU-stack, "", @progbits
