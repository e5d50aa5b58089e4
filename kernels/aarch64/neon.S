// NEON (Advanced SIMD), the baseline of AArch64. A vector of the operations is a pair of 16-byte registers, n and n + 16,
// because the non-temporal instructions access pairs.

#define ISA neon
#define VECTOR_BYTES 32
#define ISA_FEATURES FEATURE_NEON
#define MULTIPLY_ADD_FEATURES 0
#define ACCUMULATORS 12
#define HAS_FMA 1
#define HAS_LOAD_NT 1

.arch armv8.2-a   // for dc cvap, which runs where the CPU has it

#include "kernels/aarch64/frame.inc"

.macro V_ENTER
  SAVE_VECTORS
.endm

.macro V_LEAVE
  RESTORE_VECTORS
.endm

.macro V_STEP reg
.endm

.macro V_ADVANCE pointer, bytes
  add \pointer, \pointer, \bytes
.endm

#define REACH 1024   /* of an access to a pair; further vectors have their base in x16 */

.macro PAIR instruction, offset, pointer, low, high
  .if \offset < REACH
    \instruction q\low, q\high, [\pointer, \offset]
  .else
    .if \offset % REACH == 0
      add x16, \pointer, \offset
    .endif
    \instruction q\low, q\high, [x16, \offset % REACH]
  .endif
.endm

.macro V_LOAD offset, pointer, reg
  PAIR ldp, \offset, \pointer, \reg, %(\reg + 16)
.endm

.macro V_LOAD_NT offset, pointer, reg
  PAIR ldnp, \offset, \pointer, \reg, %(\reg + 16)
.endm

.macro V_STORE offset, pointer, reg
  PAIR stp, \offset, \pointer, \reg, %(\reg + 16)
.endm

.macro V_STORE_NT offset, pointer, reg
  PAIR stnp, \offset, \pointer, \reg, %(\reg + 16)
.endm

.macro V_PREFETCH ahead, offset, stream
  prfm pldl1keep, [x\stream, \ahead + \offset]
.endm

// An instruction on three registers and on the other halves of these pairs, which are `up` registers higher.
.macro BOTH instruction, type, to, left, right, up=0
  .ifc \type, pd
    \instruction v\to\().2d, v\left\().2d, v\right\().2d
  .else
    \instruction v\to\().4s, v\left\().4s, v\right\().4s
  .endif
  .if \up == 0
    BOTH \instruction, \type, %(\to + 16), %(\left + 16), %(\right + 16), 16
  .endif
.endm

.macro V_ADD type, other, reg
  BOTH fadd, \type, \reg, \reg, \other
.endm

.macro V_MUL type, other, reg
  BOTH fmul, \type, \reg, \reg, \other
.endm

.macro V_MULTIPLY_ADD type, right, left, reg
  BOTH fmla, \type, \reg, \left, \right
.endm

// reg = left / reg
.macro V_DIVIDE type, left, reg
  BOTH fdiv, \type, \reg, \left, \reg
.endm

.macro ROOT_HALF type, of, reg
  .ifc \type, pd
    fsqrt v\reg\().2d, v\of\().2d
  .else
    fsqrt v\reg\().4s, v\of\().4s
  .endif
.endm

.macro V_ROOT type, of, reg
  ROOT_HALF \type, \of, \reg
  ROOT_HALF \type, %(\of + 16), %(\reg + 16)
.endm

#include "kernels/aarch64/scalar.inc"

.macro COPY_HALF from, to
  mov v\to\().16b, v\from\().16b
.endm

.macro V_COPY from, to
  COPY_HALF \from, \to
  COPY_HALF \from, %(\to + 16)
.endm

.macro ZERO_HALF reg
  movi v\reg\().2d, 0
.endm

.macro V_ZERO reg
  ZERO_HALF \reg
  ZERO_HALF %(\reg + 16)
.endm

.macro V_SCALAR_pd reg
  ldr d\reg, [x0, ARG_SCALAR]
  dup v\reg\().2d, v\reg\().d[0]
  COPY_HALF \reg, %(\reg + 16)
.endm

.macro V_SCALAR_ps reg
  ldr d\reg, [x0, ARG_SCALAR]
  fcvt s\reg, d\reg
  dup v\reg\().4s, v\reg\().s[0]
  COPY_HALF \reg, %(\reg + 16)
.endm

#include "kernels/ops.inc"

.section .note.GNU-stack, "", @progbits
