// General registers of AArch64: the pointer chase, the clock, additions side by side, random loads, and branches.

#define ISA aarch64
#define VECTOR_BYTES 8
#define ISA_FEATURES 0

#include "kernels/aarch64/frame.inc"

.macro V_ENTER
.endm

.macro V_LEAVE
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

// x2: state of the generator, x10: the state some steps later, x3: its multiplier, x4: lines, x6: the first one, x7: sum
.macro G_GENERATOR_START
  G_GET
  orr x2, x2, 1             // even states end in zeros
  G_MULTIPLIER
  mov x7, xzr
.endm

.macro G_RANDOM_START memory=ARG_LOAD_0
  G_GENERATOR_START
  ldr x4, [x0, ARG_PASS]
  ldr x6, [x0, \memory]
  mov x10, x2
  mov x5, RANDOM_AHEAD
2:
  mul x10, x10, x3
  subs x5, x5, 1
  b.ne 2b
.endm

// The next state, and the address of its line in x5.
.macro NEXT_LINE state
  mul \state, \state, x3
  lsr x5, \state, 32
  mul x5, x5, x4
  lsr x5, x5, 32
  add x5, x6, x5, lsl 6     // lines to bytes
.endm

// Loads from the next line, without waiting for earlier loads.
.macro G_LOAD_LINE
  NEXT_LINE x2
  ldr x8, [x5]
  add x7, x7, x8
.endm

// Stores to the next line, and to fifteen numbers of the result.
.macro G_STORE_LINE
  NEXT_LINE x2
  str x2, [x5]
  .irp place, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    str x2, [x0, ARG_RESULT + 8 * \place]
  .endr
.endm

#define LOAD_LINE_INSTRUCTIONS 9 /* with the end of the loop */

// Asks for a line and loads from one that was asked for earlier. Neither waits for earlier loads.
.macro G_RANDOM_LINE
  NEXT_LINE x10
  prfm pldl2keep, [x5]
  G_LOAD_LINE
.endm

// Registers that no caller of a function expects to be kept.
.macro G_CLEAR_NUMBERS
  .irp number, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
    movi d\number, 0
  .endr
.endm

// Adds to each of twelve numbers, with an addition of integers beside, whose sum is nobody's operand.
.macro G_ADD_TO_EACH
  .irp number, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    add x10, x3, 1
    fadd d\number, d\number, d28
  .endr
.endm

// x2: state of the generator, x3: its multiplier, x4: the mask, x7: branches that were not taken
.macro G_BRANCH_START mask
  G_GENERATOR_START
  ldr x4, =\mask
.endm

.macro G_BRANCH
  mul x2, x2, x3
  tst x2, x4
  b.eq 8f
  add x7, x7, 1
8:
.endm

.macro G_RANDOM_END
  str x7, [x0, ARG_RESULT]
  G_PUT
.endm

#include "kernels/ops_general.inc"

.section .note.GNU-stack, "", @progbits
