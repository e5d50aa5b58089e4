/* C = A B: with OpenBLAS if available, otherwise with a blocked product. */
#include <gable-marker.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_CBLAS
#include <cblas.h>
static void multiply(int n, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}
#else
enum { block = 64 };
static int end_of(int from, int n) {
  return from + block < n ? from + block : n;
}
static void multiply(int n, const double* a, const double* b, double* c) {
#pragma omp parallel for schedule(static)
  for (int i0 = 0; i0 < n; i0 += block) {
    for (int i = i0; i < end_of(i0, n); ++i)
      for (int j = 0; j < n; ++j) c[(size_t)i * n + j] = 0;
    for (int k0 = 0; k0 < n; k0 += block)
      for (int j0 = 0; j0 < n; j0 += block)
        for (int i = i0; i < end_of(i0, n); ++i)
          for (int k = k0; k < end_of(k0, n); ++k) {
            const double factor = a[(size_t)i * n + k];
            for (int j = j0; j < end_of(j0, n); ++j) c[(size_t)i * n + j] += factor * b[(size_t)k * n + j];
          }
  }
}
#endif

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1024;
  const int repetitions = argc > 2 ? atoi(argv[2]) : 5;
  if (n < 1 || repetitions < 1) {
    fprintf(stderr, "usage: dgemm [rows] [repetitions]\n");
    return 2;
  }
  const size_t bytes = ((size_t)n * (size_t)n * sizeof(double) + 63) / 64 * 64;
  double *a = aligned_alloc(64, bytes), *b = aligned_alloc(64, bytes), *c = aligned_alloc(64, bytes);
  if (!a || !b || !c) {
    fprintf(stderr, "no memory for matrices of %d rows\n", n);
    return 1;
  }
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a[(size_t)i * n + j] = i + 1;
      b[(size_t)i * n + j] = 1.0 / (j + 1);
      c[(size_t)i * n + j] = 0;
    }
  gable_marker_start("dgemm");
  for (int r = 0; r < repetitions; ++r) multiply(n, a, b, c);
  gable_marker_stop("dgemm");
  double worst = 0; /* c[i][j] = n (i + 1) / (j + 1) */
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double expected = (double)n * (i + 1) / (j + 1);
      worst = fmax(worst, fabs(c[(size_t)i * n + j] - expected) / expected);
    }
  printf("dgemm: largest relative error %.3g\n", worst);
  return worst < 1e-10 ? 0 : 1;
}
