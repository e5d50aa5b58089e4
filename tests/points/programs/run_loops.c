// run_loops N THREADS: runs the ten loops, in every thread on its own data. It computes nothing itself.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/points/programs/loops.h"

enum { most_threads = 64 };

static long n;

// The bytes of 1.0, without arithmetic.
static REAL* ones(long count) {
  static const REAL one = 1;
  REAL* const memory = malloc((size_t)(count + 16) * sizeof one);
  for (long i = 0; i < count + 16; ++i) memcpy(memory + i, &one, sizeof one);
  return memory;
}

static void* work(void* unused) {
#define CODE(name) name##_loop,
  static loop* const loops[] = {LOOPS(CODE)};
  (void)unused;
  const long elements = n * n;  // of a matrix
  REAL* const a = ones(elements);
  REAL* const b = ones(elements);
  REAL* const c = ones(elements);
  long* const index = malloc((size_t)n * sizeof *index);
  for (long i = 0; i < n; ++i) index[i] = n - 1 - i;
  for (size_t i = 0; i < sizeof loops / sizeof *loops; ++i) loops[i](n, a, b, c, index);
  free(a), free(b), free(c), free(index);
  return NULL;
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  n = atol(arguments[1]);
  const int threads = atoi(arguments[2]);
  if (threads > most_threads) return 2;
  pthread_t ids[most_threads];
  for (int i = 1; i < threads; ++i) pthread_create(&ids[i], NULL, work, NULL);
  work(NULL);
  for (int i = 1; i < threads; ++i) pthread_join(ids[i], NULL);
  puts("done");
  return 0;
}
