// DC ZVA: zeroes whole blocks, whose size the CPU reports. Counts are multiples of 16 bytes a block.

#define ISA aarch64
#define VECTOR_BYTES 16
#define ISA_FEATURES FEATURE_ZVA
#define COUNT_UNIT UNIT_ZVA

#include "kernels/aarch64/frame.inc"

// Bytes of a block: 4 << DCZID_EL0.BS.
.macro V_ENTER
  mrs x15, dczid_el0
  and x15, x15, 15
  mov x14, 4
  lsl x15, x14, x15
.endm

.macro V_LEAVE
.endm

.macro V_STEP reg
  mul \reg, \reg, x15
  lsr \reg, \reg, 4
.endm

// The loop's instructions advance the pointer.
.macro V_ADVANCE pointer, bytes
.endm

.macro V_STORE offset, pointer, reg
  stp xzr, xzr, [\pointer, \offset]
.endm

// store_zva: writes zeros to store, by blocks that are not read first. Result: 16 bytes of them.
KERNEL store_zva
LOOP
.rept 16
  dc zva, x10
  add x10, x10, x15
  COUNT_STORE
.endr
AGAIN
RESULT 0
FINISH

.section .note.GNU-stack, "", @progbits
