// Runs one static, non-PIE, single-threaded x86-64 Linux program on a bare machine: loads it from the disk,
// answers the system calls that a C library needs, and ends the machine with its exit status.
//
// Memory: this kernel at 2 MiB, the program from 4 MiB, its heap below 63 MiB, page tables at 64 MiB, the
// disk's copy at 96 MiB, the program's stack below 240 MiB, and from 256 MiB an arena of 4 KiB pages for
// mmap.

#include <asm/unistd.h>
#include <stdint.h>

#include "tests/bochs/guest/machine.h"

extern void system_call_entry(void);
extern const uint64_t exception_entries[32];
extern void enter_program(uint64_t entry, uint64_t stack);

enum { page = 4096, present = 1, writable = 2 };
static const uint64_t heap_end = 0x3f00000;
static uint64_t* const arena_table = (uint64_t*)0x4000000;
static uint8_t* const disk_copy = (uint8_t*)0x6000000;
static uint64_t* const stack_top = (uint64_t*)0xeff0000;
static const uint64_t arena = 0x10000000, arena_bytes = 256u << 20;

static uint64_t heap_start, heap, arena_used;

// ---- memory

static uint64_t whole_pages(uint64_t bytes) {
  return (bytes + page - 1) & ~(uint64_t)(page - 1);
}

// `protection` has the bits of PROT_READ (1) and PROT_WRITE (2).
static void protect(uint64_t start, uint64_t bytes, uint64_t protection) {
  for (uint64_t at = start; at < start + bytes; at += page) {
    if (at < arena || at >= arena + arena_bytes) continue;
    arena_table[(at - arena) / page] = at | (protection ? present : 0) | (protection & writable);
    invalidate_page(at);
  }
}

static void map_arena(void) {
  volatile uint64_t* const large_pages = (uint64_t*)0x12000;  // made by boot.S
  for (uint64_t i = 0; i < arena_bytes / page; ++i) arena_table[i] = 0;
  for (uint64_t i = 0; i < arena_bytes >> 21; ++i) {
    large_pages[(arena >> 21) + i] = (uint64_t)(arena_table + 512 * i) | present | writable;
  }
  large_pages[0] = 0;  // so that a null pointer faults
  flush_pages();
}

static int64_t map(uint64_t address, uint64_t bytes, uint64_t protection, uint64_t flags) {
  enum { fixed = 0x10, anonymous = 0x20, enodev = 19, enomem = 12 };
  bytes = whole_pages(bytes);
  if (!(flags & anonymous)) return -enodev;
  if (!(flags & fixed)) {
    if (arena_used + bytes > arena_bytes) return -enomem;
    address = arena + arena_used;
    arena_used += bytes;
  }
  protect(address, bytes, present | writable);
  fill_bytes((void*)address, 0, bytes);
  protect(address, bytes, protection);
  return (int64_t)address;
}

static int64_t move_heap(uint64_t end) {
  if (end >= heap_start && end < heap_end) {
    if (end > heap) fill_bytes((void*)heap, 0, end - heap);
    heap = end;
  }
  return (int64_t)heap;
}

// ---- system calls

struct part {
  const char* start;
  uint64_t bytes;
};

static int64_t write_parts(const struct part* parts, uint64_t count) {
  uint64_t written = 0;
  for (uint64_t i = 0; i < count; ++i) {
    print_bytes(parts[i].start, parts[i].bytes);
    written += parts[i].bytes;
  }
  return (int64_t)written;
}

// struct stat of a terminal.
static int64_t describe_terminal(uint8_t* stat) {
  fill_bytes(stat, 0, 144);
  *(uint32_t*)(stat + 24) = 0020620;
  *(uint64_t*)(stat + 56) = 1024;
  return 0;
}

static int64_t fill_random(uint8_t* bytes, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) bytes[i] = (uint8_t)(41 * i + 7);
  return (int64_t)count;
}

static int64_t set_thread_pointer(uint64_t code, uint64_t address) {
  enum { set_fs = 0x1002, einval = 22 };
  if (code != set_fs) return -einval;
  write_msr(msr_fs_base, address);
  return 0;
}

static int64_t limit(uint64_t* old) {
  if (old) {
    old[0] = 8u << 20;
    old[1] = ~(uint64_t)0;
  }
  return 0;
}

int64_t system_call(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t number) {
  enum { enoent = 2, enotty = 25, enosys = 38 };
  (void)e, (void)f;
  switch (number) {
    case __NR_write:
      print_bytes((const char*)b, c);
      return (int64_t)c;
    case __NR_writev:
      return write_parts((const struct part*)b, c);
    case __NR_fstat:
      return describe_terminal((uint8_t*)b);
    case __NR_newfstatat:
      return describe_terminal((uint8_t*)c);
    case __NR_ioctl:
      return -enotty;
    case __NR_mmap:
      return map(a, b, c, d);
    case __NR_mprotect:
      protect(a, whole_pages(b), c);
      return 0;
    case __NR_munmap:
      protect(a, whole_pages(b), 0);
      return 0;
    case __NR_brk:
      return move_heap(a);
    case __NR_arch_prctl:
      return set_thread_pointer(a, b);
    case __NR_prlimit64:
      return limit((uint64_t*)d);
    case __NR_getrandom:
      return fill_random((uint8_t*)a, b);
    case __NR_getpid:
    case __NR_gettid:
    case __NR_set_tid_address:
      return 1;
    case __NR_rt_sigaction:
    case __NR_rt_sigprocmask:
    case __NR_madvise:
    case __NR_futex:
    case __NR_set_robust_list:
      return 0;
    case __NR_openat:
    case __NR_readlink:
    case __NR_readlinkat:
      return -enoent;
    case __NR_rseq:
      return -enosys;
    case __NR_kill:
    case __NR_tkill:
    case __NR_tgkill:
      quit(134);  // as a shell shows an abort
    case __NR_exit:
    case __NR_exit_group:
      quit((int)(a & 255));
  }
  print("\n@@unknown system call ");
  print_hex(number);
  return -enosys;
}

// `frame` is what entry.S and the CPU pushed: vector, error code, instruction pointer.
void exception(const uint64_t* frame) {
  print("\n@@exception ");
  print_hex(frame[0]);
  print(" error ");
  print_hex(frame[1]);
  print(" at ");
  print_hex(frame[2]);
  print(" address ");
  print_hex(fault_address());
  quit(139);
}

static void take_exceptions_and_calls(void) {
  // The boot code's descriptors lie where null pointers point: empty, 64-bit code, data.
  static const uint64_t descriptors[] = {0, 0x00af9a000000ffff, 0x00cf92000000ffff};
  static struct gate gates[32];
  load_descriptors(descriptors, sizeof descriptors);
  for (int i = 0; i < 32; ++i) set_gate(&gates[i], exception_entries[i]);
  load_gates(gates, sizeof gates);
  write_msr(msr_star, (uint64_t)code_selector << 32);
  write_msr(msr_lstar, (uint64_t)system_call_entry);
  write_msr(msr_fmask, 0x700);  // trap, interrupt and direction flags are clear in a system call
}

// ---- the program

struct elf_header {
  uint8_t identity[24];
  uint64_t entry, segments_at, sections_at;
  uint32_t flags;
  uint16_t header_bytes, segment_bytes, segments;
};

struct elf_segment {
  uint32_t type, flags;
  uint64_t offset, address, physical, file_bytes, memory_bytes, alignment;
};

// Copies the segments to where they belong; returns where the segment table lies then.
static uint64_t load_segments(const struct elf_header* elf) {
  enum { loadable = 1 };
  const uint8_t* const file = (const uint8_t*)elf;
  const struct elf_segment* segment = (const struct elf_segment*)(file + elf->segments_at);
  uint64_t table = 0;
  for (int i = 0; i < elf->segments; ++i, ++segment) {
    if (segment->type != loadable) continue;
    const uint64_t end = segment->address + segment->memory_bytes;
    if (segment->offset == 0) table = segment->address + elf->segments_at;
    copy_bytes((void*)segment->address, file + segment->offset, segment->file_bytes);
    fill_bytes((void*)(segment->address + segment->file_bytes), 0,
               segment->memory_bytes - segment->file_bytes);
    if (end > heap_start) heap_start = end;
  }
  heap_start = heap = whole_pages(heap_start);
  return table;
}

// The stack that a program starts with: argc, argv, an empty environment, the auxiliary vector.
static void build_stack(const struct elf_header* elf, uint64_t table, const char* arguments) {
  static uint8_t random[16] = "sixteen of them";
  uint64_t* top = stack_top + 1;
  uint64_t count = 0;
  for (; *arguments; arguments += length(arguments) + 1, ++count) *top++ = (uint64_t)arguments;
  *stack_top = count;
  *top++ = 0;
  *top++ = 0;
  // AT_PHDR, AT_PHENT, AT_PHNUM, AT_PAGESZ, AT_ENTRY, AT_RANDOM, AT_NULL
  const uint64_t vector[] = {3, table, 4, 56, 5, elf->segments, 6, page, 9, elf->entry, 25, (uint64_t)random,
                             0, 0};
  copy_bytes(top, vector, sizeof vector);
}

// The disk: a page that holds the program's size as decimal text and then its arguments, each with a zero
// after it, and an empty one; then the program.
void start_program(void) {
  enum { sector = 512 };
  take_exceptions_and_calls();
  map_arena();
  read_disk(0, disk_copy, page / sector);
  const char* const text = (const char*)disk_copy;
  const struct elf_header* const elf = (const struct elf_header*)(disk_copy + page);
  const uint64_t bytes = decimal(text);
  read_disk(page / sector, disk_copy + page, (uint32_t)((bytes + sector - 1) / sector));
  build_stack(elf, load_segments(elf), text + length(text) + 1);
  enter_program(elf->entry, (uint64_t)stack_top);
}
