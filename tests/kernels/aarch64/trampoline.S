// Calls a kernel with known values in every register that it must preserve, and records what it left
// (struct Left in tests/kernels/aarch64/watched.cpp).
//
// void guarded_call(void (*code)(Arguments*), Arguments* arguments, Left* left)

#define SENTINEL 0x5eed0000

.macro PAIRS op, at, registers:vararg
  .set place, \at
  .irp register, \registers
    \op \register, [sp, place]
    .set place, place + 8
  .endr
.endm

.macro EACH do, registers:vararg
  .set place, 0
  .irp register, \registers
    \do \register
    .set place, place + 1
  .endr
.endm

.macro SET_GENERAL register
  ldr \register, =SENTINEL + place
.endm

.macro SET_FLOATING register
  ldr x9, =SENTINEL + 0x100 + place
  fmov \register, x9
.endm

.macro KEEP register
  str \register, [x2, 8 * place]
.endm

.macro KEEP_UPPER register
  str \register, [x2, 8 * (place + 11)]
.endm

#define GENERAL x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29
#define FLOATING d8, d9, d10, d11, d12, d13, d14, d15

.text
.globl guarded_call
.type guarded_call, @function
guarded_call:
  sub sp, sp, 192
  PAIRS str, 0, GENERAL, x30, x2
  PAIRS str, 104, FLOATING
  adrp x9, stack_before
  mov x10, sp
  str x10, [x9, :lo12:stack_before]
  mov x9, x0
  mov x0, x1
  mov x1, x9
  EACH SET_FLOATING, FLOATING
  EACH SET_GENERAL, GENERAL
  blr x1
  mov x9, sp
  adrp x10, stack_before
  ldr x10, [x10, :lo12:stack_before]
  mov sp, x10
  ldr x2, [sp, 96]
  sub x9, x9, x10
  EACH KEEP, GENERAL
  EACH KEEP_UPPER, FLOATING
  str x9, [x2, 8 * 19]
  mrs x9, fpcr
  str x9, [x2, 8 * 20]
  PAIRS ldr, 0, GENERAL, x30
  PAIRS ldr, 104, FLOATING
  add sp, sp, 192
  ret
  .size guarded_call, . - guarded_call

.bss
.p2align 3
stack_before: .quad 0

.section .note.GNU-stack, "", @progbits
