// The bare machine: ports, registers, disk, and the few string functions that a program without a C library
// needs.

#pragma once

#include <stdint.h>

enum {
  console_port = 0xe9,
  shutdown_port = 0x8900,
  code_selector = 0x08,
};

enum msr {
  msr_star = 0xc0000081,
  msr_lstar = 0xc0000082,
  msr_fmask = 0xc0000084,
  msr_fs_base = 0xc0000100,
};

static inline void write_port(uint16_t port, uint8_t value) {
  __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline uint8_t read_port(uint16_t port) {
  uint8_t value;
  __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
  return value;
}

static inline void write_msr(uint32_t msr, uint64_t value) {
  __asm__ volatile("wrmsr" : : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)));
}

static inline void invalidate_page(uint64_t address) {
  __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

static inline void flush_pages(void) {
  __asm__ volatile("mov %%cr3, %%rax\n\tmov %%rax, %%cr3" : : : "rax", "memory");
}

static inline uint64_t fault_address(void) {
  uint64_t address;
  __asm__ volatile("mov %%cr2, %0" : "=r"(address));
  return address;
}

static inline void copy_bytes(void* to, const void* from, uint64_t count) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

static inline void fill_bytes(void* to, uint8_t value, uint64_t count) {
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(value) : "memory");
}

static inline uint64_t length(const char* text) {
  uint64_t count = 0;
  while (text[count]) ++count;
  return count;
}

static inline uint64_t decimal(const char* text) {
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = 10 * value + (uint64_t)(*text - '0');
  return value;
}

static inline void print_bytes(const char* text, uint64_t count) {
  __asm__ volatile("rep outsb" : "+S"(text), "+c"(count) : "d"((uint16_t)console_port) : "memory");
}

static inline void print(const char* text) {
  print_bytes(text, length(text));
}

static inline void print_hex(uint64_t value) {
  for (int shift = 60; shift >= 0; shift -= 4) print_bytes(&"0123456789abcdef"[value >> shift & 15], 1);
}

/// Ends the machine; bochs-run reads the status from the console.
static inline _Noreturn void quit(int status) {
  const char digits[] = {(char)('0' + status / 100 % 10), (char)('0' + status / 10 % 10),
                         (char)('0' + status % 10)};
  print("\n@@exit ");
  print_bytes(digits, sizeof digits);
  print("\n");
  for (const char* word = "Shutdown"; *word; ++word) write_port(shutdown_port, (uint8_t)*word);
  for (;;) __asm__ volatile("cli\n\thlt");
}

/// Reads sectors of 512 bytes from the first ATA disk.
static inline void read_disk(uint32_t sector, void* to, uint32_t count) {
  enum {
    data = 0x1f0,
    sectors = 0x1f2,
    low,
    middle,
    high,
    drive,
    command,
    busy = 0x80,
    ready = 0x08,
    read = 0x20
  };
  for (; count > 0; --count, ++sector) {
    write_port(drive, (uint8_t)(0xe0 | sector >> 24));
    write_port(sectors, 1);
    write_port(low, (uint8_t)sector);
    write_port(middle, (uint8_t)(sector >> 8));
    write_port(high, (uint8_t)(sector >> 16));
    write_port(command, read);
    while ((read_port(command) & (busy | ready)) != ready) continue;
    uint64_t words = 256;
    __asm__ volatile("rep insw" : "+D"(to), "+c"(words) : "d"((uint16_t)data) : "memory");
  }
}

/// An entry of the interrupt descriptor table.
struct gate {
  uint16_t low, selector;
  uint8_t stack, type;
  uint16_t middle;
  uint32_t high, zero;
} __attribute__((packed));

static inline void set_gate(struct gate* gate, uint64_t entry) {
  enum { interrupt_gate = 0x8e };
  *gate = (struct gate){(uint16_t)entry,         code_selector,           0, interrupt_gate,
                        (uint16_t)(entry >> 16), (uint32_t)(entry >> 32), 0};
}

/// What LGDT and LIDT read.
struct table {
  uint16_t limit;
  uint64_t base;
} __attribute__((packed));

static inline void load_descriptors(const uint64_t* descriptors, uint16_t bytes) {
  const struct table table = {(uint16_t)(bytes - 1), (uint64_t)descriptors};
  __asm__ volatile("lgdt %0" : : "m"(table));
}

static inline void load_gates(const struct gate* gates, uint16_t bytes) {
  const struct table table = {(uint16_t)(bytes - 1), (uint64_t)gates};
  __asm__ volatile("lidt %0" : : "m"(table));
}
