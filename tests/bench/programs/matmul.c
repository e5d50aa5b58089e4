/* Matrix product C = A B: naive (a dot product for every element) or blocked. The numbers are small integers,
 * so the check by a vector, C v = A (B v), is exact. */
#include <string.h>

#include "program.h"

enum { block = 48 };

static long least(long a, long b) {
  return a < b ? a : b;
}

static void naive(long n, const double* a, const double* b, double* c) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      double sum = 0;
      for (long k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

static void blocked(long n, const double* a, const double* b, double* c) {
#pragma omp parallel for schedule(static)
  for (long rows = 0; rows < n; rows += block) {
    const long end = least(rows + block, n);
    for (long i = rows; i < end; ++i)
      for (long j = 0; j < n; ++j) c[i * n + j] = 0;
    for (long columns = 0; columns < n; columns += block)
      for (long inner = 0; inner < n; inner += block)
        for (long i = rows; i < end; ++i)
          for (long k = inner; k < least(inner + block, n); ++k)
            for (long j = columns; j < least(columns + block, n); ++j)
              c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}

/* y = M x */
static void apply(long n, const double* m, const double* x, double* y) {
  for (long i = 0; i < n; ++i) {
    y[i] = 0;
    for (long j = 0; j < n; ++j) y[i] += m[i * n + j] * x[j];
  }
}

int main(int argc, char** argv) {
  const char* usage = "matmul naive|blocked ROWS REPETITIONS";
  const int is_naive = argc > 1 && strcmp(argv[1], "naive") == 0,
            is_blocked = argc > 1 && strcmp(argv[1], "blocked") == 0;
  if (!is_naive && !is_blocked) return fprintf(stderr, "usage: %s\n", usage), 2;
  const long n = argument(argc, argv, 2, 1, usage), repetitions = argument(argc, argv, 3, 1, usage);
  double* a = allocate((size_t)(n * n), sizeof *a);
  double* b = allocate((size_t)(n * n), sizeof *b);
  double* c = allocate((size_t)(n * n), sizeof *c);
  double* v = allocate((size_t)n, sizeof *v);
  double* bv = allocate((size_t)n, sizeof *bv);
  double* abv = allocate((size_t)n, sizeof *abv);
  double* cv = allocate((size_t)n, sizeof *cv);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      a[i * n + j] = (double)(mixed((uint64_t)(i * n + j)) % 16);
      b[i * n + j] = (double)(mixed(~(uint64_t)(i * n + j)) % 16);
      c[i * n + j] = 0;
    }
  gable_marker_start("matmul");
  for (long r = 0; r < repetitions; ++r) (is_blocked ? blocked : naive)(n, a, b, c);
  gable_marker_stop("matmul");
  for (long i = 0; i < n; ++i) v[i] = (double)(mixed((uint64_t)i) % 64);
  apply(n, b, v, bv);
  apply(n, a, bv, abv);
  apply(n, c, v, cv);
  long wrong = 0;
  for (long i = 0; i < n; ++i) wrong += cv[i] != abv[i];
  printf("matmul: %ld of %ld rows wrong", wrong, n);
  return verdict(wrong == 0);
}
