// Functions with a known number of branches, calls and instructions, and of those that no predictor knows.
// usage: branches N

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

#include "random.inc"

// The second branch of each iteration follows no pattern.
APART static void branch_at_random(size_t n) {
  uint64_t state = first_state;
  for (size_t i = 0; i < n; ++i) {
    if (next(&state) >> 40 & 1) asm volatile("nop");
  }
}

// It does every eighth time what it does not do otherwise.
APART static void branch_in_turns(size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (i % 8 == 3) asm volatile("nop");
  }
}

// Loops with the same number of iterations, which is longer than a counter remembers.
APART static void branch_in_loops(size_t n) {
  for (size_t i = 0; i < n / 100; ++i) {
    for (size_t j = 0; j < 100; ++j) asm volatile("nop");
  }
}

// Once in eight times, without a pattern.
APART static void branch_seldom(size_t n) {
  uint64_t state = first_state;
  for (size_t i = 0; i < n; ++i) {
    if ((next(&state) >> 40 & 7) == 0) asm volatile("nop");
  }
}

static size_t add_0(size_t x) {
  return x + 1;
}
static size_t add_1(size_t x) {
  return x + 3;
}
static size_t add_2(size_t x) {
  return x ^ 5;
}
static size_t add_3(size_t x) {
  return x ^ 9;
}
static size_t (*volatile added[4])(size_t) = {add_0, add_1, add_2, add_3};

// Calls one of four functions, without a pattern; and in turns.
APART static size_t call_at_random(size_t n) {
  uint64_t state = first_state;
  size_t x = 0;
  for (size_t i = 0; i < n; ++i) x = added[next(&state) >> 40 & 3](x);
  return x;
}

APART static size_t call_in_turns(size_t n) {
  size_t x = 0;
  for (size_t i = 0; i < n; ++i) x = added[i & 3](x);
  return x;
}

#define MULTIPLY_8_TIMES(x) \
  x = x * near_one * near_one * near_one * near_one * near_one * near_one * near_one * near_one

// A product of eight and of sixteen factors decides a branch at random, and one of sixteen a steady branch.
APART static void branch_after_8(size_t n, double near_one) {
  uint64_t state = first_state;
  for (size_t i = 0; i < n; ++i) {
    double x = (int64_t)next(&state);
    MULTIPLY_8_TIMES(x);
    if (x > 0) asm volatile("nop");
  }
}

APART static void branch_after_16(size_t n, double near_one) {
  uint64_t state = first_state;
  for (size_t i = 0; i < n; ++i) {
    double x = (int64_t)next(&state);
    MULTIPLY_8_TIMES(x);
    MULTIPLY_8_TIMES(x);
    if (x > 0) asm volatile("nop");
  }
}

APART static void steady_after_16(size_t n, double near_one) {
  uint64_t state = first_state;
  for (size_t i = 0; i < n; ++i) {
    double x = (int64_t)(next(&state) >> 1);
    MULTIPLY_8_TIMES(x);
    MULTIPLY_8_TIMES(x);
    if (x >= 0) asm volatile("nop");
  }
}

static uint64_t table[1 << 16];

// Each iteration loads from a random place. What is there decides the branch, or a random number does.
APART static uint64_t branch_on_loads(size_t n) {
  uint64_t state = first_state, sum = 0;
  for (size_t i = 0; i < n; ++i) {
    if (table[next(&state) >> 40 & 0xffff] & 1) asm volatile("nop");
  }
  return sum;
}

APART static uint64_t branch_beside_loads(size_t n) {
  uint64_t state = first_state, sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t random = next(&state);
    sum += table[random >> 40 & 0xffff];
    if (random >> 30 & 1) asm volatile("nop");
  }
  return sum;
}

// A loop, and two others with code behind both that jumps into them. Each jump back from there passes over other loops
// that are smaller, so that all instructions between belong to these.
APART static void jump_into_loops(size_t n) {
#ifdef __x86_64__
  asm volatile(
      "mov $20000, %%rcx\n 0: dec %%rcx\n jnz 0b\n"
      "1: mov $20000, %%rcx\n"
      "2: inc %%rax\n test $3, %%al\n jz 6f\n"
      "3: dec %%rcx\n jnz 2b\n dec %0\n jnz 1b\n jmp 9f\n"
      "6: inc %%rdx\n .rept 24\n nop\n .endr\n test $4, %%dl\n jz 7f\n dec %%rcx\n jmp 2b\n"
      "7: inc %%rdx\n jmp 3b\n"
      "9:"
      : "+r"(n)
      :
      : "rax", "rcx", "rdx", "cc");
#else
  asm volatile(
      "mov x9, #20000\n 0: subs x9, x9, #1\n b.ne 0b\n"
      "1: mov x9, #20000\n"
      "2: add x10, x10, #1\n tst x10, #3\n b.eq 6f\n"
      "3: subs x9, x9, #1\n b.ne 2b\n subs %0, %0, #1\n b.ne 1b\n b 9f\n"
      "6: add x11, x11, #1\n .rept 8\n nop\n .endr\n tst x11, #4\n b.eq 7f\n sub x9, x9, #1\n b 2b\n"
      "7: add x11, x11, #1\n b 3b\n"
      "9:"
      : "+r"(n)
      :
      : "x9", "x10", "x11", "cc");
#endif
}

// Five instructions an iteration, of which three compute with integers.
APART static void add_integers(size_t n, const uint64_t* from) {
#ifdef __x86_64__
  asm volatile("1: add $1, %%rax\n lea 8(%%rax), %%rcx\n mov (%1), %%rdx\n dec %0\n jnz 1b"
               : "+r"(n)
               : "r"(from)
               : "rax", "rcx", "rdx", "cc");
#else
  asm volatile("1: add x9, x9, #1\n add x10, x9, #8\n ldr x11, [%1]\n subs %0, %0, #1\n b.ne 1b"
               : "+r"(n)
               : "r"(from)
               : "x9", "x10", "x11", "cc");
#endif
}

// Two loads into vector registers in each iteration, one of them of two numbers, and one into a general
// register.
APART static void load_numbers(size_t n, const uint64_t* from) {
#ifdef __x86_64__
  asm volatile("1: cvtps2pd (%1), %%xmm0\n addsd 8(%1), %%xmm0\n mov (%1), %%rdx\n dec %0\n jnz 1b"
               : "+r"(n)
               : "r"(from)
               : "xmm0", "rdx", "cc");
#else
  asm volatile("1: ldr d0, [%1]\n ldr d1, [%1, #8]\n ldr x11, [%1]\n subs %0, %0, #1\n b.ne 1b"
               : "+r"(n)
               : "r"(from)
               : "d0", "d1", "x11", "cc");
#endif
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const size_t n = strtoull(argv[1], NULL, 10);
  const uint64_t numbers[2] = {0, 0};
  branch_at_random(n);
  branch_in_turns(n);
  branch_in_loops(n);
  branch_seldom(n);
  add_integers(n, numbers);
  load_numbers(n, numbers);
  branch_after_8(n, 0.999);
  branch_after_16(n, 0.999);
  steady_after_16(n, 0.999);
  jump_into_loops(n / 20000);
  uint64_t state = first_state;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) table[i] = next(&state) >> 20;
  printf("%zu\n", (size_t)(branch_on_loads(n) + branch_beside_loads(n)));
  printf("%zu\n", call_at_random(n) + call_in_turns(n));
  return 0;
}
