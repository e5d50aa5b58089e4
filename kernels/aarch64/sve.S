// SVE, for every vector length. Counts are those of a vector of 16 bytes, and all() multiplies them (kernels/table.cpp):
// instructions name an offset in vectors, not in bytes.

#define ISA sve
#define VECTOR_BYTES 16
#define ISA_FEATURES FEATURE_SVE
#define MULTIPLY_ADD_FEATURES 0
#define ACCUMULATORS 24
#define HAS_FMA 1
#define HAS_LOAD_NT 1
#define COUNT_UNIT UNIT_SVE
#define FIXED_VECTORS 0
#define LOAD_VECTORS 32   /* 512 bytes to 8 KiB */
#define SHORT_LOAD_VECTORS 4
#define PREFETCH_EVERY VECTOR_BYTES

.arch armv8.2-a+sve

#include "kernels/aarch64/frame.inc"

.macro V_ENTER
  SAVE_VECTORS
  ptrue p0.b
.endm

.macro V_LEAVE
  RESTORE_VECTORS
.endm

.macro V_STEP reg
  rdvl x17, 1
  mul \reg, \reg, x17
  lsr \reg, \reg, 4
.endm

// addvl adds at most 31 vectors.
.macro V_ADVANCE pointer, bytes
  .if \bytes > 31 * VECTOR_BYTES
    addvl \pointer, \pointer, 31
    addvl \pointer, \pointer, \bytes / VECTOR_BYTES - 31
  .else
    addvl \pointer, \pointer, \bytes / VECTOR_BYTES
  .endif
.endm

.macro V_LOAD offset, pointer, reg
  ldr z\reg, [\pointer, \offset / VECTOR_BYTES, mul vl]
.endm

.macro V_STORE offset, pointer, reg
  str z\reg, [\pointer, \offset / VECTOR_BYTES, mul vl]
.endm

#define REACH (8 * VECTOR_BYTES)   /* of a non-temporal access; further vectors have their base in x16 */

.macro NON_TEMPORAL instruction, predicate, offset, pointer, reg
  .if \offset < REACH
    \instruction {z\reg\().d}, \predicate, [\pointer, \offset / VECTOR_BYTES, mul vl]
  .else
    .if \offset % REACH == 0
      addvl x16, \pointer, \offset / VECTOR_BYTES
    .endif
    \instruction {z\reg\().d}, \predicate, [x16, (\offset % REACH) / VECTOR_BYTES, mul vl]
  .endif
.endm

.macro V_LOAD_NT offset, pointer, reg
  NON_TEMPORAL ldnt1d, p0/z, \offset, \pointer, \reg
.endm

.macro V_STORE_NT offset, pointer, reg
  NON_TEMPORAL stnt1d, p0, \offset, \pointer, \reg
.endm

// By x17 for FIRST and x16 for SECOND.
.macro V_PREFETCH ahead, offset, stream
  PREFETCH_BY %(25 - \stream), \ahead, \offset, \stream
.endm

.macro PREFETCH_BY by, ahead, offset, stream
  .if \offset == 0
    add x\by, x\stream, \ahead
  .endif
  prfd pldl1keep, p0, [x\by, \offset / VECTOR_BYTES, mul vl]
.endm

.macro THREE instruction, type, to, left, right
  .ifc \type, pd
    \instruction z\to\().d, \left\().d, z\right\().d
  .else
    \instruction z\to\().s, \left\().s, z\right\().s
  .endif
.endm

.macro V_ADD type, other, reg
  THREE fadd, \type, \reg, z\reg, \other
.endm

.macro V_MUL type, other, reg
  THREE fmul, \type, \reg, z\reg, \other
.endm

.macro V_MULTIPLY_ADD type, right, left, reg
  .ifc \type, pd
    fmla z\reg\().d, p0/m, z\left\().d, z\right\().d
  .else
    fmla z\reg\().s, p0/m, z\left\().s, z\right\().s
  .endif
.endm

// reg = left / reg
.macro V_DIVIDE type, left, reg
  .ifc \type, pd
    fdivr z\reg\().d, p0/m, z\reg\().d, z\left\().d
  .else
    fdivr z\reg\().s, p0/m, z\reg\().s, z\left\().s
  .endif
.endm

.macro V_ROOT type, of, reg
  .ifc \type, pd
    fsqrt z\reg\().d, p0/m, z\of\().d
  .else
    fsqrt z\reg\().s, p0/m, z\of\().s
  .endif
.endm

#include "kernels/aarch64/scalar.inc"

.macro V_COPY from, to
  mov z\to\().d, z\from\().d
.endm

.macro V_ZERO reg
  mov z\reg\().d, 0
.endm

.macro V_SCALAR_pd reg
  ld1rd {z\reg\().d}, p0/z, [x0, ARG_SCALAR]
.endm

.macro V_SCALAR_ps reg
  ldr d\reg, [x0, ARG_SCALAR]
  fcvt s\reg, d\reg
  mov z\reg\().s, s\reg
.endm

#include "kernels/ops.inc"

.section .note.GNU-stack, "", @progbits
