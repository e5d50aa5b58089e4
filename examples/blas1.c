/* ddot, scale and triad: which one, the program's name says. Each thread first touches the part of the arrays on which it
 * works later. */
#include <gable-marker.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double flops, load_bytes, store_bytes; /* for each element */
} Work;

static double ddot(long n, const double *a, const double *b) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

static void scale(long n, double q, const double *a, double *b) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) b[i] = q * a[i];
}

static void triad(long n, double q, double *a, const double *b, const double *c) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) a[i] = b[i] + q * c[i];
}

static double *array(long n) {
  double *made = aligned_alloc(64, ((size_t)n * sizeof(double) + 63) / 64 * 64);
  if (!made) {
    fprintf(stderr, "no memory for %ld doubles\n", n);
    exit(1);
  }
  return made;
}

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/');
  const char *name = slash ? slash + 1 : argv[0];
  const long n = argc > 1 ? atol(argv[1]) : 1 << 24;
  const long repetitions = argc > 2 ? atol(argv[2]) : 20;
  const int is_ddot = strcmp(name, "ddot") == 0, is_scale = strcmp(name, "scale") == 0;
  const Work work = is_ddot ? (Work){2, 16, 0} : is_scale ? (Work){1, 8, 8} : (Work){2, 16, 8};
  if (n < 1 || repetitions < 1) {
    fprintf(stderr, "usage: %s [doubles an array] [repetitions]\n", name);
    return 2;
  }
  double *a = array(n), *b = array(n), *c = array(is_ddot || is_scale ? 1 : n);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    a[i] = 1;
    b[i] = 2;
    if (!is_ddot && !is_scale) c[i] = 3;
  }
  double sum = 0;
  gable_marker_start(name);
  for (long r = 0; r < repetitions; ++r) {
    if (is_ddot) sum += ddot(n, a, b);
    else if (is_scale) scale(n, 0.5, a, b);
    else triad(n, 0.5, a, b, c);
  }
  const double total = (double)n * (double)repetitions;
  gable_marker_work(work.flops * total, work.load_bytes * total, work.store_bytes * total);
  gable_marker_stop(name);
  const double found = is_ddot ? sum : is_scale ? b[n - 1] : a[n - 1];
  const double expected = is_ddot ? 2 * total : is_scale ? 0.5 : 3.5;
  printf("%s: %.17g\n", name, found);
  return fabs(found - expected) <= 1e-9 * expected ? 0 : 1;
}
