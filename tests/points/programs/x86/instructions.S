// Single instructions, each in its own function: corner cases of counting. tests/points/instructions.cpp has
// the expected counts according to the Intel SDM. rdi and rsi: 4 KiB of memory each, aligned to 64 bytes.

#include "tests/points/programs/functions.inc"

// Arithmetic that VEX translates to other operations.
one addsubpd_sse3, addsubpd %xmm0, %xmm1
one addsubps_sse3, addsubps %xmm0, %xmm1
one vaddsubpd_ymm, vaddsubpd %ymm0, %ymm1, %ymm2
one vaddsubps_ymm, vaddsubps %ymm0, %ymm1, %ymm2
one haddpd_sse3, haddpd %xmm0, %xmm1
one hsubps_sse3, hsubps %xmm0, %xmm1
one vhaddpd_ymm, vhaddpd %ymm0, %ymm1, %ymm2
one vhsubpd_ymm, vhsubpd %ymm0, %ymm1, %ymm2
one vhaddps_ymm, vhaddps %ymm0, %ymm1, %ymm2
one vhsubps_ymm, vhsubps %ymm0, %ymm1, %ymm2
one dppd_sse4, dppd $0x31, %xmm0, %xmm1
one dpps_sse4, dpps $0xf1, %xmm0, %xmm1
one vdpps_ymm, vdpps $0xf1, %ymm0, %ymm1, %ymm2

FUNCTION same_twice
  mulpd %xmm0, %xmm1
  movapd %xmm2, %xmm3
  mulpd %xmm0, %xmm3
  movapd %xmm2, %xmm3
  mulpd %xmm0, %xmm3
FINISH

FUNCTION result_unused
  addpd %xmm0, %xmm1
  xorpd %xmm1, %xmm1
FINISH

FUNCTION by_zero
  pxor %xmm1, %xmm1
  mulpd %xmm0, %xmm1
FINISH

// FMA in every width; the translator has one operation per lane.
one fma_sd, vfmadd231sd %xmm0, %xmm1, %xmm2
one fma_ss, vfnmsub132ss (%rdi), %xmm1, %xmm2
one fma_pd, vfmsub213pd (%rdi), %xmm1, %xmm2
one fma_ps, vfmadd231ps %xmm0, %xmm1, %xmm2
one fma_pd_ymm, vfnmadd231pd (%rdi), %ymm1, %ymm2
one fma_ps_ymm, vfmadd231ps %ymm0, %ymm1, %ymm2
one fmaddsub_pd_ymm, vfmaddsub231pd %ymm0, %ymm1, %ymm2
one fmsubadd_ps, vfmsubadd231ps %xmm0, %xmm1, %xmm2

// x87
FUNCTION x87_load_store
  fldt (%rdi)
  fstpt (%rsi)
FINISH

FUNCTION x87_arithmetic
  fldl (%rdi)
  faddl (%rdi)
  fld %st
  fmulp
  fsqrt
  fdivs (%rdi)
  fsubr %st, %st
  fstps (%rsi)
FINISH

FUNCTION x87_no_flops
  fldl (%rdi)
  fabs
  fchs
  frndint
  fcomip
  fildl (%rdi)
  fistpll (%rsi)
FINISH

// No arithmetic.
FUNCTION minimum
  minpd (%rdi), %xmm0
  maxss (%rdi), %xmm1
FINISH

FUNCTION comparison
  ucomisd (%rdi), %xmm0
  cmppd $1, (%rdi), %xmm1
FINISH

FUNCTION conversion
  cvtpd2ps (%rdi), %xmm0
  cvtsi2sdl (%rdi), %xmm0
  cvttsd2si (%rdi), %eax
FINISH

one rounding, roundpd $0, (%rdi), %xmm0

FUNCTION estimate
  rcpps (%rdi), %xmm0
  rsqrtss (%rdi), %xmm1
FINISH

FUNCTION bitwise
  xorps (%rdi), %xmm0
  andnpd (%rdi), %xmm1
FINISH

FUNCTION integers
  paddd (%rdi), %xmm0
  vpmulld (%rdi), %ymm1, %ymm2
  imul (%rdi), %rax
FINISH

// Memory: widths.
FUNCTION parts
  movhpd (%rdi), %xmm0
  movlps %xmm0, (%rsi)
  pinsrw $1, (%rdi), %xmm0
  pextrb $2, %xmm0, (%rsi)
FINISH

FUNCTION broadcast
  vbroadcastsd (%rdi), %ymm0
  vbroadcastf128 (%rdi), %ymm1
  movddup (%rdi), %xmm2
FINISH

FUNCTION halves
  vinsertf128 $1, (%rdi), %ymm0, %ymm0
  vextractf128 $1, %ymm0, (%rsi)
FINISH

FUNCTION widening
  pmovzxbd (%rdi), %xmm0
  vpmovsxwd (%rdi), %ymm0
  cvtps2pd (%rdi), %xmm1
FINISH

FUNCTION non_temporal
  movntdq %xmm0, (%rsi)
  movnti %rax, (%rsi)
  vmovntdqa (%rdi), %ymm0
FINISH

FUNCTION prefetch
  prefetcht0 (%rdi)
  prefetchnta (%rdi)
  clflush (%rdi)
  nopl (%rdi)
FINISH

FUNCTION dead_loads
  mov (%rdi), %rax
  mov (%rdi), %rax
  movapd (%rdi), %xmm0
  movapd (%rdi), %xmm0
  xor %eax, %eax
FINISH

FUNCTION known_result
  andl $0, (%rsi)
  orq $-1, (%rsi)
  testl $0, (%rdi)
  pxor %xmm0, %xmm0
  pand (%rdi), %xmm0
FINISH

FUNCTION condition_false
  xor %eax, %eax
  cmovnz (%rdi), %rdx
FINISH

// Memory: read-modify-write, locked, and stack operations.
FUNCTION modify
  addl $1, (%rsi)
  incb (%rsi)
  negq (%rsi)
  shlw (%rsi)
FINISH

one lock_add, lock addl $1, (%rsi)
one lock_xadd, lock xaddq %rax, (%rsi)
one exchange, xchg %rax, (%rsi)

FUNCTION compare_exchange
  xor %eax, %eax
  lock cmpxchgq %rcx, (%rsi)
  lock cmpxchgq %rcx, (%rsi)
FINISH

FUNCTION compare_exchange_16
  push %rbx
  mov $1, %ebx
  lock cmpxchg16b (%rsi)
  pop %rbx
FINISH

FUNCTION bit_test
  bt %rax, %rdx
  btl $3, %eax
  bts %rax, %rdx
  btrl %eax, %edx
  btcw %ax, %dx
FINISH

FUNCTION bit_test_memory
  btl $3, (%rdi)
  lock btsq $3, (%rsi)
FINISH

FUNCTION stack
  push %rax
  pop %rax
  pushf
  popf
  push (%rdi)
  lea 8(%rsp), %rsp
FINISH

FUNCTION nested
  call 9f
  ret
  9: ret
  nop
FINISH

FUNCTION leave_frame
  push %rbp
  mov %rsp, %rbp
  leave
FINISH

// A condition and a second one that is tested only if the first holds: neither its load nor its product is executed.
FUNCTION second_condition
  xor %eax, %eax
  cmp %eax, %eax
  jne 1f
  cmp $1, %eax
  jne 1f
  mulsd %xmm0, %xmm1
  cmpl $0, (%rdi)
  jne 1f
  inc %eax
1:
FINISH

// Memory: strings, one element at a time.
FUNCTION rep_movs
  push %rdi
  push %rsi
  mov $100, %ecx
  rep movsb
  mov $0, %ecx
  rep movsq
  pop %rsi
  pop %rdi
FINISH

FUNCTION rep_stos
  push %rdi
  mov $100, %ecx
  rep stosq
  pop %rdi
FINISH

FUNCTION rep_cmps
  push %rdi
  push %rsi
  mov %rdi, %rsi
  mov $10, %ecx
  repe cmpsw
  pop %rsi
  pop %rdi
FINISH

// Memory: masks and gathers. Lanes 0 and 2 are active, of the gathers too.
.macro MASK
  mov $-1, %rax
  vmovq %rax, %xmm3
  vpermq $0xcc, %ymm3, %ymm3
.endm
.macro SCATTERED
  vpxor %xmm1, %xmm1, %xmm1
  MASK
.endm
FUNCTION masked_load_pd
  MASK
  vmaskmovpd (%rdi), %ymm3, %ymm0
FINISH

FUNCTION masked_load_ps
  MASK
  vmaskmovps (%rdi), %ymm3, %ymm0
FINISH

FUNCTION masked_store_pd
  MASK
  vmaskmovpd %ymm0, %ymm3, (%rsi)
FINISH

FUNCTION masked_store_d
  MASK
  vpmaskmovd %xmm0, %xmm3, (%rsi)
FINISH

FUNCTION masked_bytes
  push %rdi
  mov %rsi, %rdi
  maskmovdqu %xmm3, %xmm0
  pop %rdi
FINISH

FUNCTION gather_dpd
  SCATTERED
  vgatherdpd %ymm3, (%rdi,%xmm1,8), %ymm0
FINISH

FUNCTION gather_qps
  SCATTERED
  vgatherqps %xmm3, (%rdi,%ymm1,4), %xmm0
FINISH

FUNCTION gather_dd
  SCATTERED
  vpgatherdd %ymm3, (%rdi,%ymm1,4), %ymm0
FINISH

// Memory: the state of the processor.
FUNCTION control
  fnstcw (%rsi)
  fldcw (%rsi)
  stmxcsr (%rsi)
  ldmxcsr (%rsi)
FINISH

FUNCTION state
  fxsave (%rsi)
  fxrstor (%rsi)
FINISH

END_OF_TABLE
