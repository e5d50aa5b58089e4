// The last 64 KiB of the ROM: from the reset vector into 64-bit mode, then into the mini-kernel.
//
// Linked at 0xf0000, where the ROM is also visible to real mode. Memory below 4 GiB is mapped one to one with
// 2 MiB pages; the tables lie at 64 KiB and after.

#define TABLE_ROOT 0x10000
#define TABLE_GIBS 0x11000
#define TABLE_PAGES 0x12000
#define PRESENT_WRITABLE 3
#define LARGE_PAGE 0x80

#define ROM_START 0xfffe0000
#define KERNEL_START 0x200000
#define KERNEL_BYTES 0x10000
#define KERNEL_STACK 0x3f0000

#define CR0_PROTECTED 1
#define CR0_PAGING 0x80010022       /* PG, WP, NE, MP */
#define CR0_CACHES_OFF 0x60000000
#define CR4_FEATURES 0x40620        /* PAE, OSFXSR, OSXMMEXCPT, OSXSAVE */
#define MSR_EFER 0xc0000080
#define EFER_LONG_SYSCALL 0x101
#define XCR0_VECTORS 0xe7           /* x87, SSE, AVX, AVX-512 */

#define SELECTOR_CODE64 0x08
#define SELECTOR_DATA 0x10
#define SELECTOR_CODE32 0x18

.section .boot, "ax"
.code16
real_mode:
  cli
  cld
  lgdtl %cs:(table_pointer - real_mode)
  mov %cr0, %eax
  or $CR0_PROTECTED, %al
  mov %eax, %cr0
  ljmpl $SELECTOR_CODE32, $protected_mode

.code32
protected_mode:
  mov $SELECTOR_DATA, %ax
  mov %ax, %ds
  mov %ax, %es
  mov %ax, %ss

  movl $(TABLE_GIBS + PRESENT_WRITABLE), TABLE_ROOT
  mov $(TABLE_PAGES + PRESENT_WRITABLE), %eax
  mov $TABLE_GIBS, %edi
  mov $4, %ecx
1:
  mov %eax, (%edi)
  add $0x1000, %eax
  add $8, %edi
  loop 1b
  mov $(LARGE_PAGE + PRESENT_WRITABLE), %eax
  mov $TABLE_PAGES, %edi
  mov $2048, %ecx
2:
  mov %eax, (%edi)
  add $0x200000, %eax
  add $8, %edi
  loop 2b

  mov $CR4_FEATURES, %eax
  mov %eax, %cr4
  mov $TABLE_ROOT, %eax
  mov %eax, %cr3
  mov $MSR_EFER, %ecx
  rdmsr
  or $EFER_LONG_SYSCALL, %eax
  wrmsr
  mov %cr0, %eax
  and $~CR0_CACHES_OFF, %eax
  or $CR0_PAGING, %eax
  mov %eax, %cr0
  ljmpl $SELECTOR_CODE64, $long_mode

.code64
long_mode:
  mov $0xd, %eax                    // CPUID leaf 13: what XCR0 may hold
  xor %ecx, %ecx
  cpuid
  and $XCR0_VECTORS, %eax
  xor %ecx, %ecx
  xor %edx, %edx
  xsetbv

  mov $ROM_START, %esi
  mov $KERNEL_START, %edi
  mov $KERNEL_BYTES, %ecx
  rep movsb
  mov $KERNEL_STACK, %esp
  mov $KERNEL_START, %eax
  jmp *%rax

.p2align 3
descriptors:
  .quad 0
  .quad 0x00af9a000000ffff          // 64-bit code
  .quad 0x00cf92000000ffff          // data
  .quad 0x00cf9a000000ffff          // 32-bit code
table_pointer:
  .word table_pointer - descriptors - 1
  .long descriptors

.org 0xfff0                         // the reset vector
.code16
  ljmp $0xf000, $0
.org 0x10000

.section .note.GNU-stack, "", @progbits
