/* Fourier transform of 2^BITS complex numbers, radix 2 in Stockham's order: every stage reads one array and
 * writes another. The input is a sum of two tones, so the result is known. */
#include <complex.h>
#include <math.h>

#include "program.h"

/* Stage `stage` of the transform: halves of `from` are combined and stored in pairs of blocks of 2^stage
 * numbers. */
static void combine(uint64_t n, long stage, const double complex* from, double complex* to,
                    const double complex* roots) {
  const uint64_t block = 1ull << stage, half = n / 2;
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < half; ++i) {
    const uint64_t inside = i & (block - 1), start = i - inside;
    const double complex root = roots[start], u = from[i], v = from[i + half], w = u - v;
    to[2 * start + inside] = u + v;
    to[2 * start + inside + block] = CMPLX(creal(w) * creal(root) - cimag(w) * cimag(root),
                                           creal(w) * cimag(root) + cimag(w) * creal(root));
  }
}

int main(int argc, char** argv) {
  const char* usage = "fft BITS REPETITIONS";
  const long bits = argument(argc, argv, 1, 2, usage), repetitions = argument(argc, argv, 2, 1, usage);
  const uint64_t n = 1ull << bits, low = n / 8, high = 3 * n / 4 + 1;
  const double circle = 2 * acos(-1) / (double)n;
  double complex* input = allocate(n, sizeof *input);
  double complex* a = allocate(n, sizeof *a);
  double complex* b = allocate(n, sizeof *b);
  double complex* roots = allocate(n / 2, sizeof *roots);
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < n; ++i) {
    input[i] =
        cexp(CMPLX(0, circle * (double)(low * i % n))) + 2 * cexp(CMPLX(0, circle * (double)(high * i % n)));
    a[i] = b[i] = 0;
    if (i < n / 2) roots[i] = cexp(CMPLX(0, -circle * (double)i));
  }
  gable_marker_start("fft");
  for (long r = 0; r < repetitions; ++r)
    for (long stage = 0; stage < bits; ++stage)
      combine(n, stage, stage == 0 ? input : stage % 2 ? a : b, stage % 2 ? b : a, roots);
  gable_marker_stop("fft");
  const double complex* result = bits % 2 ? a : b;
  double worst = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const double expected = (i == low ? 1 : 0) + (i == high ? 2 : 0);
    worst = fmax(worst, cabs(result[i] / (double)n - expected));
  }
  printf("fft: tones %.6f and %.6f", cabs(result[low]) / (double)n, cabs(result[high]) / (double)n);
  return verdict(worst < 1e-12);
}
