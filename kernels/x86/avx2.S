// AVX2 with FMA: 32-byte vectors, 16 registers.

#define ISA avx2
#define VECTOR_BYTES 32
#define ISA_FEATURES FEATURE_AVX2
#define MULTIPLY_ADD_FEATURES FEATURE_FMA
#define ACCUMULATORS 12
#define HAS_FMA 1
#define HAS_LOAD_NT 1

#include "kernels/x86/frame.inc"

.macro V_LOAD offset, pointer, reg
  vmovapd \offset(%\pointer), %ymm\reg
.endm

.macro V_LOAD_NT offset, pointer, reg
  vmovntdqa \offset(%\pointer), %ymm\reg
.endm

.macro V_PREFETCH ahead, offset, stream
  prefetcht0 \ahead + \offset(%r\stream)
.endm

.macro V_STORE offset, pointer, reg
  vmovapd %ymm\reg, \offset(%\pointer)
.endm

.macro V_STORE_NT offset, pointer, reg
  vmovntpd %ymm\reg, \offset(%\pointer)
.endm

.macro V_ADD type, other, reg
  vadd\type %ymm\other, %ymm\reg, %ymm\reg
.endm

.macro V_MUL type, other, reg
  vmul\type %ymm\other, %ymm\reg, %ymm\reg
.endm

.macro V_MULTIPLY_ADD type, right, left, reg
  vfmadd231\type %ymm\right, %ymm\left, %ymm\reg
.endm

// reg = left / reg
.macro V_DIVIDE type, left, reg
  vdiv\type %ymm\reg, %ymm\left, %ymm\reg
.endm

.macro V_ROOT type, of, reg
  vsqrt\type %ymm\of, %ymm\reg
.endm

#include "kernels/x86/scalar.inc"

.macro V_COPY from, to
  vmovapd %ymm\from, %ymm\to
.endm

.macro V_ZERO reg
  vxorpd %ymm\reg, %ymm\reg, %ymm\reg
.endm

.macro V_SCALAR_pd reg
  vbroadcastsd ARG_SCALAR(%rdi), %ymm\reg
.endm

.macro V_SCALAR_ps reg
  vxorps %xmm\reg, %xmm\reg, %xmm\reg
  vcvtsd2ss ARG_SCALAR(%rdi), %xmm\reg, %xmm\reg
  vbroadcastss %xmm\reg, %ymm\reg
.endm

.macro V_LEAVE
  vzeroupper
.endm

#include "kernels/ops.inc"

.section .note.GNU-stack, "", @progbits
