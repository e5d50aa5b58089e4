// Kernels that are broken in one way each, to show that the tests detect it. The isa names the
// fault.

#define TABLE_SECTION gable_sabotage
#define ISA neon
#define VECTOR_BYTES 32
#define ISA_FEATURES FEATURE_NEON

#include "kernels/aarch64/frame.inc"

.macro V_ENTER
.endm

.macro V_LEAVE
.endm

.macro V_STEP reg
.endm

.macro V_ADVANCE pointer, bytes
  add \pointer, \pointer, \bytes
.endm

.macro PAIR instruction, offset, pointer, low, high
  \instruction q\low, q\high, [\pointer, \offset]
.endm

.macro V_LOAD offset, pointer, reg
  PAIR ldp, \offset, \pointer, \reg, %(\reg + 16)
.endm

.macro V_STORE offset, pointer, reg
  PAIR stp, \offset, \pointer, \reg, %(\reg + 16)
.endm

.macro BODY
  .rept 4
    LOAD FIRST, 1
    STORE 1
  .endr
.endm

// A copy kernel with a fault inside the loop, or after it.
.macro DEFINE_BROKEN fault, in_loop, after_loop
  KERNEL_OF_ISA copy, KIND_STREAM, \fault
  LOOP
  BODY
  \in_loop
  AGAIN
  RESULT 1
  \after_loop
  FINISH
.endm

.macro NOTHING
.endm

.macro OVERREAD
  V_LOAD %(offset_8), x8, 2
.endm

.macro UNDERREAD
  ldp q2, q18, [x8, -32]
.endm

.macro OVERWRITE
  V_STORE 0, x10, 0
.endm

.macro CLAIM_LOAD
  .set load_bytes, load_bytes + VECTOR_BYTES
.endm

.macro CLAIM_FLOP
  .set flops, flops + lanes_pd
.endm

.macro CLEAR_X21
  mov x21, 0
.endm

.macro CLEAR_V9
  movi v9.2d, 0
.endm

.macro FLUSH_TO_ZERO
  mov x16, 1 << 24
  msr fpcr, x16
.endm

.macro FORGET_POSITION
  add x2, x2, 1
.endm

DEFINE_BROKEN nothing, NOTHING, NOTHING
DEFINE_BROKEN overreads, OVERREAD, NOTHING
DEFINE_BROKEN underreads, UNDERREAD, NOTHING
DEFINE_BROKEN overwrites, OVERWRITE, NOTHING
DEFINE_BROKEN claims_load, CLAIM_LOAD, NOTHING
DEFINE_BROKEN claims_flop, CLAIM_FLOP, NOTHING
DEFINE_BROKEN clobbers, NOTHING, CLEAR_X21
DEFINE_BROKEN clobbers_vector, NOTHING, CLEAR_V9
DEFINE_BROKEN flushes_to_zero, NOTHING, FLUSH_TO_ZERO
DEFINE_BROKEN forgets_position, NOTHING, FORGET_POSITION

// A block kernel with a fault after locating its block, or after writing it.
.macro DEFINE_BROKEN_BLOCK fault, at_block, vectors, in_loop
  KERNEL_OF_ISA block64, KIND_BLOCKS, \fault
  ldr d0, [x0, ARG_SCALAR]
  dup v0.2d, v0.d[0]
  mov v16.16b, v0.16b
  LOOP
  NEXT_BLOCK
  \at_block
  .rept \vectors
    STORE 0
  .endr
  \in_loop
  AGAIN
  RESULT 0
  FINISH
.endm

.macro STAY
  mov x10, x13
.endm

.macro CLAIM_LINE
  .set offset_10, offset_10 + LINE_BYTES
  .set store_bytes, store_bytes + LINE_BYTES
.endm

DEFINE_BROKEN_BLOCK whole, NOTHING, 2, NOTHING
DEFINE_BROKEN_BLOCK stays, STAY, 2, NOTHING
DEFINE_BROKEN_BLOCK skips_line, NOTHING, 2, CLAIM_LINE

// A kernel of reads with a fault after locating its block.
.macro DEFINE_BROKEN_READ fault, at_block
  KERNEL_OF_ISA read64, KIND_READS, \fault
  LOOP
  NEXT_BLOCK
  \at_block
  .rept 2
    LOAD_OF_BLOCK 1
  .endr
  AGAIN
  RESULT 1
  FINISH
.endm

DEFINE_BROKEN_READ reads_whole, NOTHING
DEFINE_BROKEN_READ rereads, STAY

.section .note.GNU-stack, "", @progbits
