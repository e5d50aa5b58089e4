// The mini-kernel's doors: its start, system calls and exceptions. The program runs in ring 0 as well, so a
// system call only changes the stack, and an exception ends the run.

.section .text.entry, "ax"
.globl _start
_start:
  call start_program
  hlt

.text
// void enter_program(void* entry, void* stack)
.globl enter_program
enter_program:
  mov %rsi, %rsp
  xor %edx, %edx                    // no function to register with atexit
  xor %ebp, %ebp
  jmp *%rdi

.globl system_call_entry
system_call_entry:
  mov %rsp, program_stack(%rip)
  lea kernel_stack_end(%rip), %rsp
  .irp register, rcx, r11, rdi, rsi, rdx, r10, r8, r9
    push %\register
  .endr
  mov %r10, %rcx
  push %rax                         // seventh argument: the number
  call system_call
  add $8, %rsp
  .irp register, r9, r8, r10, rdx, rsi, rdi, r11, rcx
    pop %\register
  .endr
  mov program_stack(%rip), %rsp
  push %r11
  popfq
  jmp *%rcx

// One stub an exception; those without an error code push a zero in its place.
.altmacro
.macro EXCEPTION number
exception_\number:
  .if (\number != 8) && (\number < 10 || \number > 14) && (\number != 17) && (\number != 21)
    push $0
  .endif
  push $\number
  jmp any_exception
  .pushsection .rodata
  .quad exception_\number
  .popsection
.endm

.pushsection .rodata
.p2align 3
.globl exception_entries
exception_entries:
.popsection
.set number, 0
.rept 32
  EXCEPTION %number
  .set number, number + 1
.endr

any_exception:
  mov %rsp, %rdi
  and $-16, %rsp
  call exception
  hlt

.bss
.p2align 4
program_stack: .skip 16
kernel_stack: .skip 32768
kernel_stack_end:

.section .note.GNU-stack, "", @progbits
