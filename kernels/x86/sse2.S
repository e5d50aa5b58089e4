// SSE2, the baseline of x86-64: 16-byte vectors, 16 registers, no FMA, no non-temporal load.

#define ISA sse2
#define VECTOR_BYTES 16
#define ISA_FEATURES FEATURE_SSE2
#define MULTIPLY_ADD_FEATURES 0
#define ACCUMULATORS 12
#define HAS_FMA 0
#define HAS_LOAD_NT 0

#include "kernels/x86/frame.inc"

.macro V_LOAD offset, pointer, reg
  movapd \offset(%\pointer), %xmm\reg
.endm

.macro V_STORE offset, pointer, reg
  movapd %xmm\reg, \offset(%\pointer)
.endm

.macro V_STORE_NT offset, pointer, reg
  movntpd %xmm\reg, \offset(%\pointer)
.endm

.macro V_ADD type, other, reg
  add\type %xmm\other, %xmm\reg
.endm

.macro V_MUL type, other, reg
  mul\type %xmm\other, %xmm\reg
.endm

.macro V_MULTIPLY_ADD type, right, left, reg
  mul\type %xmm\right, %xmm\left
  add\type %xmm\left, %xmm\reg
.endm

// reg = left / reg
.macro V_DIVIDE type, left, reg
  movapd %xmm\left, %xmm1
  div\type %xmm\reg, %xmm1
  movapd %xmm1, %xmm\reg
.endm

.macro V_ROOT type, of, reg
  sqrt\type %xmm\of, %xmm\reg
.endm

.macro S_ADD type, other, reg
  SCALAR add, \type, %xmm\other, %xmm\reg
.endm

// reg = left / reg
.macro S_DIVIDE type, left, reg
  movapd %xmm\left, %xmm1
  SCALAR div, \type, %xmm\reg, %xmm1
  movapd %xmm1, %xmm\reg
.endm

.macro S_ROOT type, of, reg
  SCALAR sqrt, \type, %xmm\of, %xmm\reg
.endm

// Clears all lanes but the first.
.macro S_ALONE type, reg
  .ifc \type, pd
    pslldq $8, %xmm\reg
    psrldq $8, %xmm\reg
  .else
    pslldq $12, %xmm\reg
    psrldq $12, %xmm\reg
  .endif
.endm

.macro V_COPY from, to
  movapd %xmm\from, %xmm\to
.endm

.macro V_ZERO reg
  xorpd %xmm\reg, %xmm\reg
.endm

.macro V_SCALAR_pd reg
  movsd ARG_SCALAR(%rdi), %xmm\reg
  unpcklpd %xmm\reg, %xmm\reg
.endm

.macro V_SCALAR_ps reg
  xorps %xmm\reg, %xmm\reg
  cvtsd2ss ARG_SCALAR(%rdi), %xmm\reg
  shufps $0, %xmm\reg, %xmm\reg
.endm

.macro V_LEAVE
.endm

#include "kernels/ops.inc"

.section .note.GNU-stack, "", @progbits
