// Chains of scalar operations of AArch64.

#define ISA aarch64
#define VECTOR_BYTES 8
#define ISA_FEATURES 0
#define MULTIPLY_ADD_FEATURES 0

#include "kernels/aarch64/frame.inc"
#include "kernels/aarch64/scalar.inc"

.macro V_ENTER
.endm

.macro V_LEAVE
.endm

// d0 or s0: q, d1 or s1: x
.macro C_START_pd
  ldr d0, [x0, ARG_SCALAR]
  C_CUBE pd
.endm

.macro C_START_ps
  ldr d0, [x0, ARG_SCALAR]
  fcvt s0, d0
  C_CUBE ps
.endm

.macro C_CUBE type
  fmov d1, d0
  S_MUL \type, 0, 1
  S_MUL \type, 0, 1
.endm

.macro C_RESULT_pd
  str d1, [x0, ARG_RESULT]
.endm

.macro C_RESULT_ps
  str s1, [x0, ARG_RESULT]
.endm

.macro C_DIVIDE type
  S_DIVIDE \type, 0, 1
.endm

.macro C_DIVIDE_BACK type
  C_DIVIDE \type
.endm

.macro C_CONVERT
  fcvtzs x2, d1
  scvtf d1, x2
.endm

// x2: x, x3: the multiplier, x4 and x5: the same address, x6: 0
.macro C_START_integer
  G_GET
  orr x2, x2, 1
  G_MULTIPLIER
  add x4, x0, ARG_RESULT
  add x5, x0, ARG_RESULT
  mov x6, xzr
.endm

.macro C_RESULT_integer
  G_PUT
.endm

.macro G_MUL
  mul x2, x2, x3
.endm

.macro G_STORE_AND_LOAD
  str x2, [x4, x6]
  ldr x2, [x5, x6]
.endm

// As compilers make it for every CPU of this architecture.
.macro G_FETCH_AND_ADD
.Ltry_\@:
  ldaxr x7, [x4]
  add x9, x7, x2
  stlxr w10, x9, [x4]
  cbnz w10, .Ltry_\@
  mov x2, x7
.endm

// x8 to x11: numbers, x3: the dividend
.macro D_START bits
  G_GET
  .if \bits == 64
    and x2, x2, 0xfffff
    orr x2, x2, 0x100000
    mov x3, 0x1fffffffffffffff
  .else
    and x2, x2, 0x3ff
    orr x2, x2, 0x400
    mov x3, 0x7fffffff
  .endif
  mov x8, x2
  add x9, x2, 1
  add x10, x2, 2
  add x11, x2, 3
.endm

.macro D_ENTER
.endm

.macro D_DIVIDE bits, number
  .if \bits == 64
    udiv x\number, x3, x\number
  .else
    udiv w\number, w3, w\number
  .endif
.endm

.macro D_LEAVE
.endm

.macro D_RESULT numbers
  mov x2, x8
  .if \numbers > 1
    add x2, x2, x9
    add x2, x2, x10
    add x2, x2, x11
  .endif
  G_PUT
.endm

#include "kernels/ops_chains.inc"

.section .note.GNU-stack, "", @progbits
