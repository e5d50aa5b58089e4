// Chains of scalar operations of x86-64: SSE2, and FMA on its registers.

#define ISA x86
#define VECTOR_BYTES 8
#define ISA_FEATURES 0
#define MULTIPLY_ADD_FEATURES FEATURE_FMA

#include "kernels/x86/frame.inc"

.macro V_LEAVE
.endm

// xmm0: q, xmm1: x, xmm2: x between two divisions
.macro C_START_pd
  movsd ARG_SCALAR(%rdi), %xmm0
  C_CUBE pd
.endm

.macro C_START_ps
  xorps %xmm0, %xmm0
  cvtsd2ss ARG_SCALAR(%rdi), %xmm0
  C_CUBE ps
.endm

.macro C_CUBE type
  movapd %xmm0, %xmm1
  S_MUL \type, 0, 1
  S_MUL \type, 0, 1
.endm

.macro C_RESULT_pd
  movsd %xmm1, ARG_RESULT(%rdi)
.endm

.macro C_RESULT_ps
  movss %xmm1, ARG_RESULT(%rdi)
.endm

.macro S_ADD type, other, reg
  SCALAR add, \type, %xmm\other, %xmm\reg
.endm

.macro S_MUL type, other, reg
  SCALAR mul, \type, %xmm\other, %xmm\reg
.endm

// reg = reg + other * other
.macro S_MULTIPLY_ADD type, other, reg
  SCALAR vfmadd231, \type, %xmm\other, %xmm\other, %xmm\reg
.endm

.macro S_ROOT type, of, reg
  SCALAR sqrt, \type, %xmm\of, %xmm\reg
.endm

// The copies of q do not wait for x.
.macro C_DIVIDE type
  movapd %xmm0, %xmm2
  SCALAR div, \type, %xmm1, %xmm2
.endm

.macro C_DIVIDE_BACK type
  movapd %xmm0, %xmm1
  SCALAR div, \type, %xmm2, %xmm1
.endm

// The conversion to a number would wait for the upper half of its target.
.macro C_CONVERT
  cvttsd2si %xmm1, %rcx
  pxor %xmm1, %xmm1
  cvtsi2sd %rcx, %xmm1
.endm

// rcx: x, rsi: the multiplier, r8 and r9: the same address, rdx: 0
.macro C_START_integer
  G_GET
  or $1, %rcx
  movabs $RANDOM_MULTIPLIER, %rsi
  lea ARG_RESULT(%rdi), %r8
  lea ARG_RESULT(%rdi), %r9
  xor %edx, %edx
.endm

.macro C_RESULT_integer
  G_PUT
.endm

.macro G_MUL
  imul %rsi, %rcx
.endm

.macro G_STORE_AND_LOAD
  mov %rcx, (%r8,%rdx)
  mov (%r9,%rdx), %rcx
.endm

.macro G_FETCH_AND_ADD
  lock xadd %rcx, (%r8)
.endm

// r8 to r11: numbers, rsi: the dividend, rcx: iterations left, since divisions need rax
.macro D_START bits
  G_GET
  .if \bits == 64
    and $0xfffff, %ecx
    or $0x100000, %ecx
    movabs $0x1fffffffffffffff, %rsi
  .else
    and $0x3ff, %ecx
    or $0x400, %ecx
    mov $0x7fffffff, %esi
  .endif
  lea 0(%rcx), %r8
  lea 1(%rcx), %r9
  lea 2(%rcx), %r10
  lea 3(%rcx), %r11
.endm

.macro D_ENTER
  mov %rax, %rcx
.endm

.macro D_DIVIDE bits, number
  mov %rsi, %rax
  xor %edx, %edx
  .if \bits == 64
    div %r\number
  .else
    div %r\number\()d
  .endif
  mov %rax, %r\number
.endm

.macro D_LEAVE
  mov %rcx, %rax
.endm

.macro D_RESULT numbers
  mov %r8, %rcx
  .if \numbers > 1
    add %r9, %rcx
    add %r10, %rcx
    add %r11, %rcx
  .endif
  G_PUT
.endm

#include "kernels/ops_chains.inc"

.section .note.GNU-stack, "", @progbits
