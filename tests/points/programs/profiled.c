// Loops whose traffic behind a cache of any size is known in closed form, each in a function of its own.
// usage: profiled NAME N REPETITIONS

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#define APART __attribute__((noinline, noclone))

static double* array(size_t count) {
  double* const made = aligned_alloc(4096, (count * sizeof(double) + 4095) / 4096 * 4096);
  if (!made) exit(2);
  // The stores of memset would go past the caches with some versions of glibc.
  for (size_t i = 0; i < count; ++i) ((volatile double*)made)[i] = 0;
  return made;
}

APART static void triad(double* restrict a, const double* restrict b, const double* restrict c, size_t n) {
  for (size_t i = 0; i < n; ++i) a[i] = b[i] + 3 * c[i];
}

// A triad that stores past the caches, or (of other architectures) does nothing.
APART static void triad_past_caches(double* a, const double* b, const double* c, size_t n) {
#ifdef __x86_64__
  for (size_t i = 0; i + 2 <= n; i += 2)
    _mm_stream_pd(a + i, _mm_add_pd(_mm_load_pd(b + i), _mm_mul_pd(_mm_set1_pd(3), _mm_load_pd(c + i))));
#else
  (void)a, (void)b, (void)c, (void)n;
#endif
}

APART static void copy(double* restrict to, const double* restrict from, size_t n) {
  for (size_t i = 0; i < n; ++i) ((volatile double*)to)[i] = from[i];
}

APART static double sum(const double* from, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += from[i];
  return total;
}

APART static void stencil(double* restrict to, const double* restrict of, size_t n) {
  for (size_t k = 1; k + 1 < n; ++k) {
    for (size_t j = 1; j + 1 < n; ++j) {
      for (size_t i = 1; i + 1 < n; ++i) {
        const size_t at = (k * n + j) * n + i;
        to[at] = of[at] + of[at - 1] + of[at + 1] + of[at - n] + of[at + n] + of[at - n * n] + of[at + n * n];
      }
    }
  }
}

APART static void transpose(double* restrict to, const double* restrict of, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) to[j * n + i] = of[i * n + j];
  }
}

APART static void multiply(double* restrict c, const double* restrict a, const double* restrict b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < n; ++k) {
      const double x = a[i * n + k];
      for (size_t j = 0; j < n; ++j) c[i * n + j] += x * b[k * n + j];
    }
  }
}

// The same in blocks of 32 x 32; n is a multiple of that. A block of the result stays until it is complete.
APART static void multiply_blocks(double* restrict c, const double* restrict a, const double* restrict b,
                                  size_t n) {
  enum { block = 32 };
  for (size_t row = 0; row < n; row += block) {
    for (size_t column = 0; column < n; column += block) {
      for (size_t inner = 0; inner < n; inner += block) {
        for (size_t i = row; i < row + block; ++i) {
          for (size_t k = inner; k < inner + block; ++k) {
            for (size_t j = column; j < column + block; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
          }
        }
      }
    }
  }
}

#include "gradients.inc"
#include "random.inc"

// A counter in each line of the table.
APART static void histogram(uint64_t (*table)[8], size_t lines, size_t updates) {
  uint64_t state = first_state;
  for (size_t i = 0; i < updates; ++i) ++table[next(&state) % lines][0];
}

typedef struct Node {
  struct Node* next;
  char rest[56];
} Node;

// One cycle through all nodes in a random order (Sattolo, 1986).
static Node* cycle(size_t n) {
  Node* const nodes = aligned_alloc(64, n * sizeof(Node));
  size_t* const order = malloc(n * sizeof *order);
  if (!nodes || !order) exit(2);
  uint64_t state = first_state;
  for (size_t i = 0; i < n; ++i) order[i] = i;
  for (size_t i = n - 1; i > 0; --i) {
    const size_t j = next(&state) % i, kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  for (size_t i = 0; i < n; ++i) nodes[i].next = &nodes[order[i]];
  free(order);
  return nodes;
}

APART static Node* chase(Node* at, size_t steps) {
  for (size_t i = 0; i < steps; ++i) at = at->next;
  return at;
}

// Each begins a quarter of the cycle behind the one before.
APART static Node* four_chases(Node* a, Node* b, Node* c, Node* d, size_t steps) {
  for (size_t i = 0; i < steps; ++i) {
    a = a->next;
    b = b->next;
    c = c->next;
    d = d->next;
  }
  return &a[(a == b) + (c == d)];
}

// Finds keys at random in a sorted array by halves, without a branch: what is loaded selects the next half.
APART static uint64_t bisect(const uint64_t* sorted, size_t n, size_t times) {
  uint64_t state = first_state, total = 0;
  for (size_t i = 0; i < times; ++i) {
    const uint64_t key = next(&state) % n;
    uint64_t at = 0;
    for (size_t half = n / 2; half > 0; half /= 2) {
      const uint64_t middle = at + half, value = sorted[middle];
#ifdef __x86_64__
      asm("cmp %1, %2\n cmovbe %3, %0" : "+r"(at) : "r"(key), "r"(value), "r"(middle) : "cc");
#else
      asm("cmp %2, %1\n csel %0, %3, %0, ls" : "+r"(at) : "r"(key), "r"(value), "r"(middle) : "cc");
#endif
    }
    total += at;
  }
  return total;
}

// Reads all of x in the order of the indices.
APART static double gather(const double* x, const uint32_t* index, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += x[index[i]];
  return total;
}

// Reads parts of x in the order of the indices, and computes after each part, ten steps for each number.
APART static double gather_by_turns(const double* x, const uint32_t* index, size_t n) {
  enum { part = 1000, steps = 10 };
  double total = 0;
  for (size_t i = 0; i + part <= n; i += part) {
    for (size_t j = 0; j < part; ++j) total += x[index[i + j]];
    for (size_t j = 0; j < part * steps; ++j) total = 0.5 * total + 1;
  }
  return total;
}

// Three loops of n steps. What is done once between the first and the second may be code at the end, from
// which the function jumps back.
APART static double three_loops(double* x, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total = 0.5 * total + 1;
  if (__builtin_expect(x[0] >= 0, 0)) {
    for (size_t i = 1; i < 8; ++i) x[0] = x[0] * x[i] + total;
  }
  for (size_t i = 0; i < n; ++i) x[i % 8] += total;
  for (size_t i = 0; i < n; ++i) total = total / 3 + x[i % 8];
  return total;
}

// A loop of 3000 steps, which is too short a phase, and then a long one.
APART static double short_and_long(double* x, size_t n) {
  double total = 0;
  for (size_t i = 0; i < 3000; ++i) total = 0.5 * total + 1;
  for (size_t i = 0; i < n; ++i) total = total / 5 + x[i % 8] * x[(i + 3) % 8] + i;
  return total;
}

// Copies eight numbers at a time by a string instruction, and then adds all up.
APART static double copy_and_add(double* to, const double* from, size_t n) {
  for (size_t i = 0; i + 8 <= n; i += 8) {
#ifdef __x86_64__
    void* target = to + i;
    const void* source = from + i;
    size_t count = 8;
    __asm__ volatile("rep movsq" : "+D"(target), "+S"(source), "+c"(count) : : "memory");
#else
    memcpy(to + i, from + i, 8 * sizeof *to);
#endif
  }
  double total = 0;
  for (size_t i = 0; i < n; ++i) total = total / 7 + to[i];
  return total;
}

// Reads a line in every `stride` bytes, again and again.
APART static double step(const double* from, size_t lines, size_t stride, size_t times) {
  double total = 0;
  for (size_t i = 0; i < times; ++i) {
    for (size_t line = 0; line < lines; ++line) total += *(const double*)((const char*)from + line * stride);
  }
  return total;
}

#include "threads.inc"

// Copies n bytes with x86's string instruction, or (of other architectures) does nothing.
APART static void copy_string(void* to, const void* from, size_t n) {
#ifdef __x86_64__
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
#else
  (void)to, (void)from, (void)n;
#endif
}

// A binary tree, whose nodes each path of calls allocates.
typedef struct Branch {
  struct Branch* children[2];
  size_t depth;
} Branch;

APART static Branch* grow(size_t depth) {
  Branch* const node = malloc(sizeof(Branch));
  if (!node) exit(2);
  node->depth = depth;
  for (int i = 0; i < 2; ++i) node->children[i] = NULL;
  if (depth == 0) return node;
  node->children[0] = grow(depth - 1);
  node->children[1] = grow(depth - 1);
  return node;
}

static double run(const char* name, size_t n, size_t times) {
  double result = 0;
  enum { page = 4096, line = 64 };
  if (!strcmp(name, "same")) return two_threads(n, times, 1, 0);
  if (!strcmp(name, "apart")) return two_threads(n, times, 0, 0);
  if (!strcmp(name, "apart by pages")) return two_threads(n, times, 0, page);
  if (!strcmp(name, "pages")) return step(array(n * page / 8), n, page, times);
  if (!strcmp(name, "padded pages")) return step(array(n * (page + line) / 8), n, page + line, times);
  if (!strcmp(name, "chase")) return chase(cycle(n), n * times)->rest[0];
  if (!strcmp(name, "four chases")) {
    Node* at[4] = {cycle(n)};
    for (int i = 1; i < 4; ++i) at[i] = chase(at[i - 1], n / 4);
    return four_chases(at[0], at[1], at[2], at[3], n / 4 * times)->rest[0];
  }
  if (!strcmp(name, "tree")) return grow(n)->depth;
  if (!strcmp(name, "two by turns")) return two_by_turns(n, times);
  if (!strcmp(name, "bisect")) {
    uint64_t* const sorted = (uint64_t*)array(n);
    for (size_t i = 0; i < n; ++i) sorted[i] = i;
    return bisect(sorted, n, times);
  }
  if (!strcmp(name, "histogram")) {
    uint64_t(*const table)[8] = (uint64_t(*)[8])array(8 * n);
    histogram(table, n, n * times);
    return table[0][0];
  }
  if (!strcmp(name, "gradients")) {
    const System of = system_of(n);
    for (size_t i = 0; i < times; ++i) result = iterate(&of);
    return result;
  }
  const int by_turns = !strcmp(name, "gather by turns");
  if (!strcmp(name, "gather") || by_turns) {
    double* const x = array(8 * n);
    uint32_t* const index = (uint32_t*)array(n);
    uint64_t state = first_state;
    for (size_t i = 0; i < n; ++i) index[i] = next(&state) % n * 8;
    for (size_t i = 0; i < times; ++i)
      result += by_turns ? gather_by_turns(x, index, n) : gather(x, index, n);
    return result;
  }
  size_t streams, threads;
  if (sscanf(name, "%zu streams of %zu threads", &streams, &threads) == 2)
    return gather_streams(n, times, streams, threads);
  const int is_flat = !strcmp(name, "triad") || !strcmp(name, "triad past caches") || !strcmp(name, "copy") ||
                      !strcmp(name, "three loops") || !strcmp(name, "short and long") ||
                      !strcmp(name, "copy and add");
  const size_t cells = !strcmp(name, "stencil") ? n * n * n : is_flat ? n : n * n;
  double *const a = array(cells), *const b = array(cells), *const c = array(cells);
  for (size_t i = 0; i < times; ++i) {
    if (!strcmp(name, "triad")) triad(a, b, c, n);
    if (!strcmp(name, "triad past caches")) {
      triad_past_caches(a, b, c, n);
      result += sum(a, n);
    }
    if (!strcmp(name, "copy")) copy(a, b, n);
    if (!strcmp(name, "copy string")) copy_string(a, b, n);
    if (!strcmp(name, "stencil")) stencil(i % 2 ? b : a, i % 2 ? a : b, n);
    if (!strcmp(name, "transpose")) transpose(a, b, n);
    if (!strcmp(name, "short and long")) result += short_and_long(a, n);
    if (!strcmp(name, "copy and add")) result += copy_and_add(b, a, n);
    if (!strcmp(name, "three loops")) result += three_loops(a, n);
    if (!strcmp(name, "multiply")) multiply(a, b, c, n);
    if (!strcmp(name, "multiply blocks")) multiply_blocks(a, b, c, n);
  }
  return result + a[cells / 2];
}

int main(int count, char** arguments) {
  if (count != 4) return 2;
  printf("%g\n", run(arguments[1], strtoul(arguments[2], NULL, 10), strtoul(arguments[3], NULL, 10)));
  return 0;
}
