// Calls a kernel with known values in every register that it must preserve, and records what it left
// (struct Left in tests/kernels/x86/watched.cpp).
//
// void guarded_call(void (*code)(Arguments*), Arguments* arguments, Left* left, bool has_avx)

#define SENTINEL(n) 0x5eed00000000 + n

.macro SAVED op, registers:vararg
  .irp register, \registers
    \op %\register
  .endr
.endm

.text
.globl guarded_call
.type guarded_call, @function
guarded_call:
  SAVED push, rbx, rbp, r12, r13, r14, r15, rdx, rcx
  test %ecx, %ecx
  jz 1f
  vzeroupper
1:
  mov %rdi, %rax
  mov %rsi, %rdi
  movabs $SENTINEL(0), %rbx
  movabs $SENTINEL(1), %rbp
  movabs $SENTINEL(2), %r12
  movabs $SENTINEL(3), %r13
  movabs $SENTINEL(4), %r14
  movabs $SENTINEL(5), %r15
  sub $8, %rsp
  mov %rsp, stack_before(%rip)
  call *%rax
  mov %rsp, %rax
  mov stack_before(%rip), %rsp
  sub %rsp, %rax
  add $8, %rsp
  pop %rcx
  pop %rdx
  mov %rbx, 0(%rdx)
  mov %rbp, 8(%rdx)
  mov %r12, 16(%rdx)
  mov %r13, 24(%rdx)
  mov %r14, 32(%rdx)
  mov %r15, 40(%rdx)
  mov %rax, 48(%rdx)
  pushfq
  pop %rax
  cld
  mov %rax, 56(%rdx)
  stmxcsr 64(%rdx)
  fnstcw 68(%rdx)
  test %ecx, %ecx
  jz 2f
  .set at, 96
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vextractf128 $1, %ymm\n, at(%rdx)
    .set at, at + 16
  .endr
  vzeroupper
2:
  SAVED pop, r15, r14, r13, r12, rbp, rbx
  ret
  .size guarded_call, . - guarded_call

.bss
.p2align 3
stack_before: .quad 0

.section .note.GNU-stack, "", @progbits
