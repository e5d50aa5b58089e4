// N fused multiply-adds of vectors, each of which waits for the one before, and N in four chains. usage:
// fused N

#include <immintrin.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

static double numbers[4] = {0.1, 0.2, 0.3, 0.4};

APART static __m256d one_chain(size_t n) {
  const __m256d x = _mm256_loadu_pd(numbers);
  __m256d sum = x;
  for (size_t i = 0; i < n; ++i) sum = _mm256_fmadd_pd(sum, x, x);
  return sum;
}

APART static __m256 of_floats(size_t n) {
  const __m256 x = _mm256_castpd_ps(_mm256_loadu_pd(numbers));
  __m256 sum = x;
  for (size_t i = 0; i < n; ++i) sum = _mm256_fmadd_ps(x, x, sum);
  return sum;
}

APART static __m256d four_chains(size_t n) {
  const __m256d x = _mm256_loadu_pd(numbers);
  __m256d a = x, b = x, c = x, d = x;
  for (size_t i = 0; i < n; i += 4) {
    a = _mm256_fmadd_pd(x, x, a);
    b = _mm256_fmadd_pd(x, x, b);
    c = _mm256_fmadd_pd(x, x, c);
    d = _mm256_fmadd_pd(x, x, d);
  }
  return _mm256_add_pd(_mm256_add_pd(a, b), _mm256_add_pd(c, d));
}

int main(int count, char** arguments) {
  const size_t n = count > 1 ? strtoul(arguments[1], NULL, 10) : 0;
  const __m256d sums =
      _mm256_add_pd(_mm256_castps_pd(of_floats(n)), _mm256_add_pd(one_chain(n), four_chains(n)));
  return sums[0] == numbers[1];
}
