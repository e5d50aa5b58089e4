// General registers of AArch64: pointer chases and the clock.

#define ISA aarch64
#define VECTOR_BYTES 8
#define ISA_FEATURES 0

#include "kernels/table.inc"

.macro V_ENTER
.endm

.macro V_LEAVE
.endm

#define HEADS_1 x2
#define HEADS_2 HEADS_1, x3
#define HEADS_4 HEADS_2, x4, x5
#define HEADS_8 HEADS_4, x6, x7, x8, x9
#define HEADS_12 HEADS_8, x10, x11, x12, x13
#define COUNT x2

.macro G_SAVE
.endm

.macro G_RESTORE
.endm

.macro G_GET offset, to
  ldr \to, [x0, \offset]
.endm

.macro G_PUT from, offset
  str \from, [x0, \offset]
.endm

// Follows the pointer in a register: loads the next pointer from its address.
.macro G_FOLLOW head
  ldr \head, [\head]
.endm

.macro G_ONE
  mov x3, 1
.endm

.macro G_ADD
  add x2, x2, x3
.endm

#include "kernels/ops_general.inc"

.section .note.GNU-stack, "", @progbits
