// Kernels that are broken in one way each, to show that the tests detect it. The isa names the
// fault.

#define TABLE_SECTION gable_sabotage
#define ISA avx2
#define VECTOR_BYTES 32
#define ISA_FEATURES FEATURE_AVX2

#include "kernels/x86/frame.inc"

.macro V_LOAD offset, pointer, reg
  vmovapd \offset(%\pointer), %ymm\reg
.endm

.macro V_STORE offset, pointer, reg
  vmovapd %ymm\reg, \offset(%\pointer)
.endm

.macro BODY
  .rept 4
    LOAD FIRST, 1
    STORE 1
  .endr
.endm

// A copy kernel with a fault inside the loop, after it, or at its end.
.macro DEFINE_BROKEN fault, in_loop, after_loop, leave=vzeroupper
  .macro V_LEAVE
    \leave
  .endm
  KERNEL_OF_ISA copy, KIND_STREAM, \fault
  LOOP
  BODY
  \in_loop
  AGAIN
  RESULT 1
  \after_loop
  FINISH
  .purgem V_LEAVE
.endm

.macro NOTHING
.endm

.macro OVERREAD
  V_LOAD offset_8, r8, 2
.endm

.macro UNDERREAD
  V_LOAD -32, r8, 2
.endm

.macro OVERWRITE
  V_STORE 0, r10, 0
.endm

.macro CLAIM_LOAD
  .set load_bytes, load_bytes + VECTOR_BYTES
.endm

.macro CLAIM_FLOP
  .set flops, flops + lanes_pd
.endm

.macro CLEAR_R13
  xor %r13d, %r13d
.endm

.macro SET_DIRECTION
  std
.endm

.macro FLUSH_TO_ZERO
  stmxcsr -8(%rsp)
  orl $0x8000, -8(%rsp)
  ldmxcsr -8(%rsp)
.endm

.macro FORGET_POSITION
  inc %rcx
.endm

DEFINE_BROKEN nothing, NOTHING, NOTHING
DEFINE_BROKEN overreads, OVERREAD, NOTHING
DEFINE_BROKEN underreads, UNDERREAD, NOTHING
DEFINE_BROKEN overwrites, OVERWRITE, NOTHING
DEFINE_BROKEN claims_load, CLAIM_LOAD, NOTHING
DEFINE_BROKEN claims_flop, CLAIM_FLOP, NOTHING
DEFINE_BROKEN clobbers, NOTHING, CLEAR_R13
DEFINE_BROKEN sets_direction, NOTHING, SET_DIRECTION
DEFINE_BROKEN flushes_to_zero, NOTHING, FLUSH_TO_ZERO
DEFINE_BROKEN forgets_position, NOTHING, FORGET_POSITION
DEFINE_BROKEN keeps_upper, NOTHING, NOTHING, NOTHING

// A block kernel with a fault after locating its block, or after writing it.
.macro DEFINE_BROKEN_BLOCK fault, at_block, vectors, in_loop
  .macro V_LEAVE
    vzeroupper
  .endm
  KERNEL_OF_ISA block64, KIND_BLOCKS, \fault
  vbroadcastsd ARG_SCALAR(%rdi), %ymm0
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
  .purgem V_LEAVE
.endm

.macro STAY
  mov %rsi, %r10
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
  .macro V_LEAVE
    vzeroupper
  .endm
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
  .purgem V_LEAVE
.endm

DEFINE_BROKEN_READ reads_whole, NOTHING
DEFINE_BROKEN_READ rereads, STAY

.section .note.GNU-stack, "", @progbits
