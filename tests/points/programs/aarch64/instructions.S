// Single instructions, each in its own function: corner cases of counting. tests/cross/counted.py has the expected
// counts. x0 and x1: 4 KiB of memory each, aligned to 64 bytes.

#include "tests/points/programs/functions.inc"

.arch armv8.1-a

// Scalars.
one fadd_d, fadd d0, d1, d2
one fsub_s, fsub s0, s1, s2
one fmul_d, fmul d0, d1, d2
one fnmul_d, fnmul d0, d1, d2
one fdiv_s, fdiv s0, s1, s2
one fsqrt_d, fsqrt d0, d1
one fmadd_d, fmadd d0, d1, d2, d3
one fmsub_s, fmsub s0, s1, s2, s3
one fnmadd_d, fnmadd d0, d1, d2, d3
one fnmsub_s, fnmsub s0, s1, s2, s3

// Vectors, of 128 and of 64 bits.
one fadd_4s, fadd v0.4s, v1.4s, v2.4s
one fadd_2s, fadd v0.2s, v1.2s, v2.2s
one fsub_2d, fsub v0.2d, v1.2d, v2.2d
one fmul_2d, fmul v0.2d, v1.2d, v2.2d
one fdiv_2d, fdiv v0.2d, v1.2d, v2.2d
one fdiv_2s, fdiv v0.2s, v1.2s, v2.2s
one fsqrt_4s, fsqrt v0.4s, v1.4s
one fmla_2d, fmla v0.2d, v1.2d, v2.2d
one fmls_4s, fmls v0.4s, v1.4s, v2.4s
one fmla_2s, fmla v0.2s, v1.2s, v2.2s
one fmla_element, fmla v0.2d, v1.2d, v2.d[1]
one fmls_element, fmls v0.4s, v1.4s, v2.s[3]
one fmul_element, fmul v0.4s, v1.4s, v2.s[3]
one fabd_4s, fabd v0.4s, v1.4s, v2.4s
one faddp_2d, faddp v0.2d, v1.2d, v2.2d
one faddp_2s, faddp v0.2s, v1.2s, v2.2s

// One lane, which VEX computes as a vector.
one faddp_d, faddp d0, v1.2d
one faddp_s, faddp s0, v1.2s
one fabd_d, fabd d0, d1, d2
one fmla_d, fmla d0, d1, v2.d[0]
one fmls_s, fmls s0, s1, v2.s[1]
one fmul_one, fmul d0, d1, v2.d[1]

// No flops.
FUNCTION no_flops
  fcmp d0, d1
  fcmgt v0.4s, v1.4s, v2.4s
  fmax d0, d1, d2
  fminnm v0.2d, v1.2d, v2.2d
  fneg d0, d1
  fabs v0.2d, v1.2d
  scvtf d0, x2
  fcvt s0, d1
  fcvtzs x2, d0
  frintn d0, d1
  frecpe v0.4s, v1.4s
  frecps v0.4s, v1.4s, v2.4s
  frsqrte v0.2d, v1.2d
  frsqrts v0.2d, v1.2d, v2.2d
  add v0.4s, v1.4s, v2.4s
  mul v0.4s, v1.4s, v2.4s
  mla v0.4s, v1.4s, v2.s[1]
FINISH

// Memory.
FUNCTION integers
  ldr x2, [x0]
  ldr w2, [x0, #8]
  ldrb w2, [x0], #1
  ldrsh x2, [x0, #1]!
  ldp x2, x3, [x1]
  ldpsw x2, x3, [x1]
  str x2, [x1, #16]
  strb w2, [x1]
  stp w2, w3, [x1, #32]
FINISH
FUNCTION vectors
  ldr q0, [x0]
  ldur d0, [x0, #4]
  ldp q0, q1, [x0]
  ldnp q0, q1, [x0, #32]
  str s0, [x1]
  stp d0, d1, [x1]
  stnp q0, q1, [x1, #32]
FINISH
FUNCTION structures
  ld1 {v0.2d, v1.2d}, [x0]
  ld2 {v0.4s, v1.4s}, [x0]
  ld3 {v0.8b, v1.8b, v2.8b}, [x0]
  ld1r {v0.2d}, [x0]
  ld1 {v0.s}[2], [x0]
  st2 {v0.2d, v1.2d}, [x1]
  st1 {v0.d}[1], [x1]
FINISH
FUNCTION no_access
  prfm pldl1keep, [x0]
  dmb ish
  csel x2, x3, x4, eq
FINISH
FUNCTION dead_loads
  ldr xzr, [x0]
  ldr wzr, [x0, #8]
FINISH

// These instructions read, modify and write.
FUNCTION exclusive
  ldxr x2, [x1]
  stxr w3, x2, [x1]
FINISH
FUNCTION exclusive_pair
  ldaxp x2, x3, [x1]
  stlxp w4, x2, x3, [x1]
FINISH
FUNCTION ordered
  ldar w2, [x0]
  stlr w2, [x1]
FINISH
one compare_and_swap, cas x2, x3, [x1]
one fetch_add, ldadd x2, x3, [x1]
one exchange, swpal w2, w3, [x1]

END_OF_TABLE
