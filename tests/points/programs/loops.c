// The ten loops as a user writes them, compiled in any way.

#include "tests/points/programs/loops.h"

#include <math.h>
#include <stdint.h>

#define Q ((REAL)3)

void copy_loop(long n, const REAL* restrict a, const REAL* b, REAL* restrict c, const long* index) {
  (void)b, (void)index;
  for (long i = 0; i < n; ++i) c[i] = a[i];
}

void scale_loop(long n, const REAL* restrict a, const REAL* b, REAL* restrict c, const long* index) {
  (void)b, (void)index;
  for (long i = 0; i < n; ++i) c[i] = Q * a[i];
}

void add_loop(long n, const REAL* restrict a, const REAL* restrict b, REAL* restrict c, const long* index) {
  (void)index;
  for (long i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void triad_loop(long n, const REAL* restrict a, const REAL* restrict b, REAL* restrict c, const long* index) {
  (void)index;
  for (long i = 0; i < n; ++i) c[i] = a[i] + Q * b[i];
}

void dot_loop(long n, const REAL* restrict a, const REAL* restrict b, REAL* restrict c, const long* index) {
  (void)index;
  REAL sum = 0;
  for (long i = 0; i < n; ++i) sum += a[i] * b[i];
  c[0] = sum;
}

void gemm_loop(long n, const REAL* restrict a, const REAL* restrict b, REAL* restrict c, const long* index) {
  (void)index;
  for (long i = 0; i < n; ++i) {
    for (long k = 0; k < n; ++k) {
      for (long j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

void axpy_loop(long n, const REAL* restrict a, const REAL* b, REAL* restrict c, const long* index) {
  (void)b, (void)index;
  for (long i = 0; i < n; ++i) c[i] += Q * a[i];
}

void divide_loop(long n, const REAL* restrict a, const REAL* restrict b, REAL* restrict c,
                 const long* index) {
  (void)index;
  for (long i = 0; i < n; ++i) c[i] = sizeof(REAL) == 4 ? (REAL)sqrtf(a[i]) / b[i] : (REAL)sqrt(a[i]) / b[i];
}

// No floating-point arithmetic, but the same bytes.
void integer_loop(long n, const REAL* restrict a, const REAL* restrict b, REAL* restrict c,
                  const long* index) {
  (void)index;
  const uint32_t* const x = (const uint32_t*)a;
  const uint32_t* const y = (const uint32_t*)b;
  uint32_t* const z = (uint32_t*)c;
  const long words = n * (long)(sizeof(REAL) / 4);
  for (long i = 0; i < words; ++i) z[i] = (x[i] + y[i]) ^ 0x55;
}

void gather_loop(long n, const REAL* a, const REAL* restrict b, REAL* restrict c,
                 const long* restrict index) {
  (void)a;
  for (long i = 0; i < n; ++i) c[i] = b[index[i]];
}
