// AVX-512: 64-byte vectors, 32 registers, FMA.

#define ISA avx512
#define VECTOR_BYTES 64
#define ISA_FEATURES FEATURE_AVX512F
#define MULTIPLY_ADD_FEATURES 0
#define ACCUMULATORS 24
#define HAS_FMA 1
#define HAS_LOAD_NT 1

#include "kernels/x86/frame.inc"

.macro V_LOAD offset, pointer, reg
  vmovapd \offset(%\pointer), %zmm\reg
.endm

.macro V_LOAD_NT offset, pointer, reg
  vmovntdqa \offset(%\pointer), %zmm\reg
.endm

.macro V_PREFETCH ahead, offset, stream
  prefetcht0 \ahead + \offset(%r\stream)
.endm

.macro V_STORE offset, pointer, reg
  vmovapd %zmm\reg, \offset(%\pointer)
.endm

.macro V_STORE_NT offset, pointer, reg
  vmovntpd %zmm\reg, \offset(%\pointer)
.endm

.macro V_ADD type, other, reg
  vadd\type %zmm\other, %zmm\reg, %zmm\reg
.endm

.macro V_MUL type, other, reg
  vmul\type %zmm\other, %zmm\reg, %zmm\reg
.endm

.macro V_MULTIPLY_ADD type, right, left, reg
  vfmadd231\type %zmm\right, %zmm\left, %zmm\reg
.endm

// reg = left / reg
.macro V_DIVIDE type, left, reg
  vdiv\type %zmm\reg, %zmm\left, %zmm\reg
.endm

.macro V_ROOT type, of, reg
  vsqrt\type %zmm\of, %zmm\reg
.endm

#include "kernels/x86/scalar.inc"

.macro V_COPY from, to
  vmovapd %zmm\from, %zmm\to
.endm

.macro V_ZERO reg
  vpxorq %zmm\reg, %zmm\reg, %zmm\reg
.endm

.macro V_SCALAR_pd reg
  vbroadcastsd ARG_SCALAR(%rdi), %zmm\reg
.endm

.macro V_SCALAR_ps reg
  vxorps %xmm\reg, %xmm\reg, %xmm\reg
  vcvtsd2ss ARG_SCALAR(%rdi), %xmm\reg, %xmm\reg
  vbroadcastss %xmm\reg, %zmm\reg
.endm

.macro V_LEAVE
  vzeroupper
.endm

#include "kernels/ops.inc"

.section .note.GNU-stack, "", @progbits
