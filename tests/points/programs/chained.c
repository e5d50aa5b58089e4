// Loops whose chains of dependent operations are known: N times what the name of the function says, each
// waiting for the one before. usage: chained N

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))
// The compiler must not know the value, so that it keeps the operations as they are written.
#define HIDE(value) __asm__ volatile("" : "+m"(value))

enum { length = 4096 };
static double numbers[length];
static uint64_t next_of[length], counters[length];

APART static double sum(size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += numbers[i % length];
  return total;
}

APART static double four_sums(size_t n) {
  double a = 0, b = 0, c = 0, d = 0;
  for (size_t i = 0; i < n; i += 4) {
    a += numbers[i % length];
    b += numbers[(i + 1) % length];
    c += numbers[(i + 2) % length];
    d += numbers[(i + 3) % length];
  }
  return a + b + c + d;
}

APART static double products(size_t n) {
  double product = 1;
  for (size_t i = 0; i < n; ++i) product *= numbers[i % length];
  return product;
}

// A long chain for each number, of which the next ones do not wait.
APART static void apart(size_t n) {
  for (size_t i = 0; i < n; ++i) {
    double x = numbers[i % length];
    x = (((x + 1) * x + 2) * x + 3) * x;
    numbers[i % length] = x * 1e-3;
  }
}

// A sum of `each` numbers at a time. Each begins with a register that is cleared by itself.
APART static double short_sums(size_t n, size_t each) {
  double last = 0;
  for (size_t i = 0; i < n;) {
    double total = 0;
    for (size_t end = i + each; i < end; ++i) total += numbers[i % length];
    last = total;
  }
  return last;
}

APART static double roots(size_t n) {
  double x = 2;
  for (size_t i = 0; i < n; ++i) x = sqrt(x + 1.5);
  return x;
}

APART static float quotients(size_t n) {
  float x = 2;
  for (size_t i = 0; i < n; ++i) x = 3.3f / (x + 0.1f);
  return x;
}

APART static double integers(size_t n) {
  double x = 2.5;
  for (size_t i = 0; i < n; ++i) x = (double)(int64_t)x + 1.5;
  return x;
}

// A multiplication, and an operation that takes a cycle.
APART static uint64_t generator(size_t n, uint64_t other) {
  uint64_t x = 88172645463325252u;
  for (size_t i = 0; i < n; ++i) x = (x * 6364136223846793005u) ^ other;
  return x;
}

#define TIMES_8(x, by) x = x * by * by * by * by * by * by * by * by

// Chains of 32 multiplications, which do not wait for each other.
APART static double side_by_side(size_t n, double by) {
  double sum = 0;
  for (size_t i = 0; i < n / 8; ++i) {
    double x = numbers[i % length];
    TIMES_8(x, by), TIMES_8(x, by), TIMES_8(x, by), TIMES_8(x, by);
    sum += x;
  }
  return sum;
}

// The least of x and the others: each comparison waits for the selection before it.
APART static uint64_t selections(size_t n, uint64_t other) {
  uint64_t x = n;
  for (size_t i = 0; i < n; ++i) {
#ifdef __x86_64__
    __asm__ volatile("cmp %1, %0\n cmova %1, %0" : "+r"(x) : "r"(other) : "cc");
#else
    __asm__ volatile("cmp %0, %1\n csel %0, %1, %0, hi" : "+r"(x) : "r"(other) : "cc");
#endif
  }
  return x;
}

// They alternate between two numbers.
APART static uint32_t short_divisions(size_t n, uint32_t dividend) {
  uint32_t x = 1000;
  for (size_t i = 0; i < n; ++i) x = dividend / x;
  return x;
}

APART static uint64_t long_divisions(size_t n, uint64_t dividend) {
  uint64_t x = 1000;
  for (size_t i = 0; i < n; ++i) x = dividend / x;
  return x;
}

APART static uint64_t remainders(size_t n, uint64_t divisor) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum ^= (i % divisor + 1) % divisor;
  return sum;
}

APART static uint64_t chase(size_t n) {
  uint64_t at = 0;
  for (size_t i = 0; i < n; ++i) at = next_of[at];
  return at;
}

APART static uint64_t checksum(size_t n) {
  uint64_t sum = 1;
#ifdef __x86_64__
  for (size_t i = 0; i < n; ++i) asm volatile("crc32q %1, %0" : "+r"(sum) : "r"(n));
#else
  for (size_t i = 0; i < n; ++i)
    asm volatile(".arch_extension crc\n crc32x %w0, %w0, %1" : "+r"(sum) : "r"(n));
#endif
  return sum;
}

// Eight steps each, from places that do not depend on each other.
APART static uint64_t searches(size_t n) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i += 8) {
    uint64_t at = i * 97 % length;
    for (int step = 0; step < 8; ++step) at = next_of[at];
    sum += at;
  }
  return sum;
}

// Atomic additions to different words, for each of which the compiler may call a function.
APART static void atomics(size_t n) {
  for (size_t i = 0; i < n; ++i) __atomic_fetch_add(&counters[i % length], i, __ATOMIC_SEQ_CST);
}

// The generator of another function, whose state is in memory.
APART static double next(double* state) {
  *state = *state * 0.75 + 0.1;
  return *state;
}

APART static double calls(size_t n) {
  double state = 0.3, last = 0;
  for (size_t i = 0; i < n; ++i) last = next(&state);
  return last;
}

int main(int count, char** arguments) {
  const size_t n = count > 1 ? strtoul(arguments[1], NULL, 10) : 0;
  for (size_t i = 0; i < length; ++i) {
    numbers[i] = 1;
    next_of[i] = (i + 7) % length;
  }
  HIDE(numbers);
  double x = sum(n) + four_sums(n) + products(n) + roots(n) + quotients(n) + integers(n) + calls(n);
  x += short_sums(n, 8) + (double)(generator(n, n) + checksum(n) + selections(n, n) + chase(n));
  x += (double)(short_divisions(n, (uint32_t)n) + long_divisions(n, n) + remainders(n, n / 3));
  apart(n);
  x += side_by_side(n, 0.99);
  x += (double)searches(n);
  atomics(n);
  return x == numbers[1];
}
