// The ten loops in assembly, so that every access and operation is visible. Whole vectors first, the
// rest one by one. The build defines the ISA (SSE2, AVX or AVX2, which includes FMA) and for doubles DOUBLE.
//
// rdi n, rsi a, rdx b, rcx c, r8 index; rax counts elements. Register 7 holds q, 6 and 5 sums, 0 to 2 what is worked
// on.

#define PASTE(a, b) a##b
#ifdef SSE2
#define V(op) op
#define WIDE(number) %xmm##number
#define WIDE_BYTES 16
#define DO(op, src, dst) op src, dst
#else
#define V(op) PASTE(v, op)
#define WIDE(number) %ymm##number
#define WIDE_BYTES 32
#define DO(op, src, dst) V(op) src, dst, dst
#endif
#define NARROW(number) %xmm##number

#ifdef DOUBLE
#define BYTES 8
#define PACKED(op) op##pd
#define SCALAR(op) op##sd
#else
#define BYTES 4
#define PACKED(op) op##ps
#define SCALAR(op) op##ss
#endif
#define LANES (WIDE_BYTES / BYTES)

// A vector or a single element at base[rax].
#define AT(base) (%base, %rax, BYTES)
#define LOAD_WIDE(base, number) V(PACKED(movu)) AT(base), WIDE(number)
#define STORE_WIDE(number, base) V(PACKED(movu)) WIDE(number), AT(base)
#define LOAD_ONE(base, number) V(SCALAR(mov)) AT(base), NARROW(number)
#define STORE_ONE(number, base) V(SCALAR(mov)) NARROW(number), AT(base)

// sum += left * right; overwrites left without FMA
#ifdef AVX2
#define MULTIPLY_ADD_WIDE(right, left, sum) PACKED(vfmadd231) WIDE(right), WIDE(left), WIDE(sum)
#define MULTIPLY_ADD_ONE(right, left, sum) SCALAR(vfmadd231) NARROW(right), NARROW(left), NARROW(sum)
#else
#define MULTIPLY_ADD_WIDE(right, left, sum) \
  DO(PACKED(mul), WIDE(right), WIDE(left)); DO(PACKED(add), WIDE(left), WIDE(sum))
#define MULTIPLY_ADD_ONE(right, left, sum) \
  DO(SCALAR(mul), NARROW(right), NARROW(left)); DO(SCALAR(add), NARROW(left), NARROW(sum))
#endif

// q = 3 in every lane of register 7, without touching memory.
#ifdef DOUBLE
#define Q mov $0x4008000000000000, %rax; V(movq) %rax, %xmm7; DO(unpcklpd, %xmm7, %xmm7)
#else
#define Q mov $0x40400000, %eax; V(movd) %eax, %xmm7; V(pshufd) $0, %xmm7, %xmm7
#endif
#ifdef SSE2
#define SPREAD_Q
#define LEAVE
#else
#define SPREAD_Q vinsertf128 $1, %xmm7, %ymm7, %ymm7
#define LEAVE vzeroupper
#endif

.macro FUNCTION name
  .globl \name\()_loop
  .type \name\()_loop, @function
\name\()_loop:
  Q
  SPREAD_Q
.endm

.macro FINISH name
  LEAVE
  ret
  .size \name\()_loop, . - \name\()_loop
.endm

// Runs `wide` on whole vectors and `one` on the rest, over rdi elements. rax: first element, r9: last but one
// vector, so that no bound is read from memory.
.macro OVER_ALL wide, one
  xor %eax, %eax
  lea 1 - LANES(%rdi), %r9
1:
  cmp %r9, %rax
  jge 2f
  \wide
  add $LANES, %rax
  jmp 1b
2:
  cmp %rdi, %rax
  jge 3f
  \one
  inc %rax
  jmp 2b
3:
.endm

.macro LOOP name
  FUNCTION \name
  OVER_ALL \name\()_wide, \name\()_one
  FINISH \name
.endm

.macro copy_wide
  LOAD_WIDE(rsi, 0)
  STORE_WIDE(0, rcx)
.endm
.macro copy_one
  LOAD_ONE(rsi, 0)
  STORE_ONE(0, rcx)
.endm

.macro scale_wide
  LOAD_WIDE(rsi, 0)
  DO(PACKED(mul), WIDE(7), WIDE(0))
  STORE_WIDE(0, rcx)
.endm
.macro scale_one
  LOAD_ONE(rsi, 0)
  DO(SCALAR(mul), NARROW(7), NARROW(0))
  STORE_ONE(0, rcx)
.endm

.macro add_wide
  LOAD_WIDE(rsi, 0)
  LOAD_WIDE(rdx, 1)
  DO(PACKED(add), WIDE(1), WIDE(0))
  STORE_WIDE(0, rcx)
.endm
.macro add_one
  LOAD_ONE(rsi, 0)
  LOAD_ONE(rdx, 1)
  DO(SCALAR(add), NARROW(1), NARROW(0))
  STORE_ONE(0, rcx)
.endm

.macro triad_wide
  LOAD_WIDE(rsi, 0)
  LOAD_WIDE(rdx, 1)
  MULTIPLY_ADD_WIDE(7, 1, 0)
  STORE_WIDE(0, rcx)
.endm
.macro triad_one
  LOAD_ONE(rsi, 0)
  LOAD_ONE(rdx, 1)
  MULTIPLY_ADD_ONE(7, 1, 0)
  STORE_ONE(0, rcx)
.endm

.macro axpy_wide
  LOAD_WIDE(rsi, 1)
  LOAD_WIDE(rcx, 0)
  MULTIPLY_ADD_WIDE(7, 1, 0)
  STORE_WIDE(0, rcx)
.endm
.macro axpy_one
  LOAD_ONE(rsi, 1)
  LOAD_ONE(rcx, 0)
  MULTIPLY_ADD_ONE(7, 1, 0)
  STORE_ONE(0, rcx)
.endm

// c = sqrt(a) / b
.macro divide_wide
  LOAD_WIDE(rsi, 0)
  LOAD_WIDE(rdx, 1)
  V(PACKED(sqrt)) WIDE(0), WIDE(2)
  DO(PACKED(div), WIDE(1), WIDE(2))
  STORE_WIDE(2, rcx)
.endm
.macro divide_one
  LOAD_ONE(rsi, 0)
  LOAD_ONE(rdx, 1)
  DO(SCALAR(sqrt), NARROW(0), NARROW(0))
  DO(SCALAR(div), NARROW(1), NARROW(0))
  STORE_ONE(0, rcx)
.endm

// c = a + b of integers, 32 bits each. AVX alone has no 256-bit integers: two halves.
.macro integer_wide
#ifdef AVX
  vmovdqu AT(rsi), %xmm0
  vpaddd AT(rdx), %xmm0, %xmm0
  vmovdqu %xmm0, AT(rcx)
  vmovdqu 16(%rsi, %rax, BYTES), %xmm0
  vpaddd 16(%rdx, %rax, BYTES), %xmm0, %xmm0
  vmovdqu %xmm0, 16(%rcx, %rax, BYTES)
#else
  V(movdqu) AT(rsi), WIDE(0)
  V(movdqu) AT(rdx), WIDE(1)
  DO(paddd, WIDE(1), WIDE(0))
  V(movdqu) WIDE(0), AT(rcx)
#endif
.endm
.macro integer_one
#ifdef DOUBLE
  mov AT(rsi), %r10
  add AT(rdx), %r10
  mov %r10, AT(rcx)
#else
  mov AT(rsi), %r10d
  add AT(rdx), %r10d
  mov %r10d, AT(rcx)
#endif
.endm

LOOP copy
LOOP scale
LOOP add
LOOP triad
LOOP axpy
LOOP divide
LOOP integer

// c[0] = sum of a * b of the rest, c[1...] the sums of the vectors' lanes: nothing is added across lanes.
.macro dot_wide
  LOAD_WIDE(rsi, 0)
  LOAD_WIDE(rdx, 1)
  MULTIPLY_ADD_WIDE(0, 1, 6)
.endm
.macro dot_one
  LOAD_ONE(rsi, 0)
  LOAD_ONE(rdx, 1)
  MULTIPLY_ADD_ONE(0, 1, 5)
.endm
FUNCTION dot
  V(PACKED(movu)) WIDE(7), WIDE(6)
  V(PACKED(movu)) WIDE(7), WIDE(5)
  OVER_ALL dot_wide, dot_one
  V(SCALAR(mov)) NARROW(5), (%rcx)
  V(PACKED(movu)) WIDE(6), BYTES(%rcx)
FINISH dot

// c += a * b, n x n, row by row: c[i][*] += a[i][k] * b[k][*]. r10: i, r11: k.
.macro gemm_wide
  LOAD_WIDE(r8, 1)
  LOAD_WIDE(rcx, 0)
  MULTIPLY_ADD_WIDE(7, 1, 0)
  STORE_WIDE(0, rcx)
.endm
.macro gemm_one
  LOAD_ONE(r8, 1)
  LOAD_ONE(rcx, 0)
  MULTIPLY_ADD_ONE(7, 1, 0)
  STORE_ONE(0, rcx)
.endm
FUNCTION gemm
  mov %rdi, %r10
4:
  mov %rdi, %r11
  mov %rdx, %r8
5:
  V(SCALAR(mov)) (%rsi), %xmm7
#ifdef DOUBLE
  DO(unpcklpd, %xmm7, %xmm7)
#else
  V(pshufd) $0, %xmm7, %xmm7
#endif
  SPREAD_Q
  OVER_ALL gemm_wide, gemm_one
  add $BYTES, %rsi
  lea (%r8, %rdi, BYTES), %r8
  dec %r11
  jnz 5b
  lea (%rcx, %rdi, BYTES), %rcx
  dec %r10
  jnz 4b
FINISH gemm

// c[i] = b[index[i]], four at a time where there is an instruction for it.
.macro gather_one
  mov (%r8, %rax, 8), %r10
  V(SCALAR(mov)) (%rdx, %r10, BYTES), %xmm0
  STORE_ONE(0, rcx)
.endm
#ifdef AVX2
.macro gather_four
  vmovdqu (%r8, %rax, 8), %ymm1
#ifdef DOUBLE
  vpcmpeqd %ymm2, %ymm2, %ymm2
  vgatherqpd %ymm2, (%rdx, %ymm1, 8), %ymm0
  vmovupd %ymm0, AT(rcx)
#else
  vpcmpeqd %xmm2, %xmm2, %xmm2
  vgatherqps %xmm2, (%rdx, %ymm1, 4), %xmm0
  vmovups %xmm0, AT(rcx)
#endif
.endm
#endif
FUNCTION gather
  xor %eax, %eax
#ifdef AVX2
  lea -3(%rdi), %r9
1:
  cmp %r9, %rax
  jge 2f
  gather_four
  add $4, %rax
  jmp 1b
#endif
2:
  cmp %rdi, %rax
  jge 3f
  gather_one
  inc %rax
  jmp 2b
3:
FINISH gather

.section .note.GNU-stack, "", @progbits
