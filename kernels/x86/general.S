// General registers of x86-64: the pointer chase, the clock, additions side by side, random loads, branches, and
// the string instruction.

#define ISA x86
#define VECTOR_BYTES 8
#define ISA_FEATURES 0

#include "kernels/x86/frame.inc"

.macro V_LEAVE
.endm

// Follows the pointer in the register: loads the next pointer from its address.
.macro G_FOLLOW
  mov (%rcx), %rcx
.endm

.macro G_ONE
  mov $1, %edx
.endm

.macro G_ADD
  add %rdx, %rcx
.endm

// The five other chains of additions.
.macro G_CLEAR_OTHERS
  .irp chain, rsi, r8, r9, r10, r11
    xor %\chain, %\chain
  .endr
.endm

.macro G_ADD_OTHERS
  .irp chain, rsi, r8, r9, r10, r11
    add %rdx, %\chain
  .endr
.endm

.macro G_SUM_OTHERS
  .irp chain, rsi, r8, r9, r10, r11
    add %\chain, %rcx
  .endr
.endm

// rcx: state of the generator, r9: the state some steps later, rsi: its multiplier, r8: lines, r10: the first one, r11: sum
.macro G_RANDOM_START memory=ARG_LOAD_0
  G_GET
  or $1, %rcx               // even states end in zeros
  movabs $RANDOM_MULTIPLIER, %rsi
  mov ARG_PASS(%rdi), %r8
  mov \memory(%rdi), %r10
  xor %r11, %r11
  mov %rcx, %r9
  mov $RANDOM_AHEAD, %edx
2:
  imul %rsi, %r9
  dec %edx
  jnz 2b
.endm

// The next state, and the offset of its line in rdx.
.macro NEXT_LINE state
  imul %rsi, %\state
  mov %\state, %rdx
  shr $32, %rdx
  imul %r8, %rdx
  shr $32, %rdx
  shl $6, %rdx              // lines to bytes
.endm

// Loads from the next line, without waiting for earlier loads.
.macro G_LOAD_LINE
  NEXT_LINE rcx
  add %r10, %rdx
  mov (%rdx), %rdx
  add %rdx, %r11
.endm

// Stores to the next line, and to fifteen numbers of the result.
.macro G_STORE_LINE
  NEXT_LINE rcx
  mov %rcx, (%r10,%rdx)
  .irp place, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    mov %rcx, ARG_RESULT + 8 * \place(%rdi)
  .endr
.endm

#define LOAD_LINE_INSTRUCTIONS 11 /* with the end of the loop */

// Asks for a line and loads from one that was asked for earlier. Neither waits for earlier loads.
.macro G_RANDOM_LINE
  NEXT_LINE r9
  prefetcht1 (%r10,%rdx)
  G_LOAD_LINE
.endm

.macro G_CLEAR_NUMBERS
  .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    xorps %xmm\number, %xmm\number
  .endr
.endm

// Adds to each of twelve numbers, with an addition of integers beside, whose sum is nobody's operand.
.macro G_ADD_TO_EACH
  .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    lea 1(%rsi), %r9
    addsd %xmm12, %xmm\number
  .endr
.endm

// rcx: state of the generator, rsi: its multiplier, r8: the mask, r11: branches that were not taken
.macro G_BRANCH_START mask
  G_GET
  or $1, %rcx
  movabs $RANDOM_MULTIPLIER, %rsi
  movabs $\mask, %r8
  xor %r11, %r11
.endm

.macro G_BRANCH
  imul %rsi, %rcx
  test %r8, %rcx
  jz 8f
  inc %r11
8:
.endm

.macro G_RANDOM_END
  mov %r11, ARG_RESULT(%rdi)
  G_PUT
.endm

#include "kernels/ops_general.inc"

// copy_movsb: as copy, with one string instruction for what is left of the pass, as memcpy copies long blocks. Many
// cores then do not read the lines that they overwrite. Result: the last eight bytes stored.
KERNEL copy_movsb
.set offset_8, LINE_BYTES
.set offset_10, LINE_BYTES
.set load_bytes, LINE_BYTES
.set store_bytes, LINE_BYTES
LOOP
  mov %rcx, %rdx
  cmp %rax, %rcx
  cmova %rax, %rdx          // the iterations until the pass or the call ends
  sub %rdx, %rax
  sub %rdx, %rcx
  xchg %rdx, %rcx           // rdx: iterations left in the pass
  shl $6, %rcx              // lines to bytes
  mov %rdi, %r9             // Arguments
  mov %r10, %rdi
  mov %rsi, %r10            // the target's base
  mov %r8, %rsi
  rep movsb
  xchg %r9, %rdi            // r9: where the stores ended
  mov %r10, %rsi
  mov %r11, %r8             // if the call goes on, a pass has ended
  mov %rdx, %rcx
  test %rcx, %rcx
  cmovz %rbx, %rcx
  test %rax, %rax
  jnz 1b
  mov -8(%r9), %r8
  mov %r8, ARG_RESULT(%rdi)
FINISH

.section .note.GNU-stack, "", @progbits
