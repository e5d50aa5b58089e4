/* Histogram of 2^BITS values in 2^BINS bins; every thread has its own bins, which are added at the end of
 * each repetition. The values are a permutation, so all bins are equally full. */
#include <omp.h>

#include "program.h"

/* A permutation of the numbers of `bits` bits. */
static uint32_t permuted(uint64_t i, long bits) {
  const uint64_t mask = (1ull << bits) - 1;
  i = i * 0x9e3779b1u & mask;
  i ^= i >> (bits / 2 + 1);
  i = i * 0x85ebca6bu & mask;
  return (uint32_t)(i ^ i >> (bits / 2 + 1));
}

int main(int argc, char** argv) {
  const char* usage = "histogram BITS BINS REPETITIONS";
  const long bits = argument(argc, argv, 1, 1, usage), bin_bits = argument(argc, argv, 2, 1, usage);
  const long repetitions = argument(argc, argv, 3, 1, usage);
  if (bin_bits > bits || bits > 32) return fprintf(stderr, "usage: %s, BINS <= BITS <= 32\n", usage), 2;
  const uint64_t n = 1ull << bits, bins = 1ull << bin_bits;
  const int threads = omp_get_max_threads();
  uint32_t* values = allocate(n, sizeof *values);
  uint32_t* counts = allocate(bins * (uint64_t)threads, sizeof *counts);
  uint64_t* total = allocate(bins, sizeof *total);
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < n; ++i) values[i] = permuted(i, bits);
#pragma omp parallel for schedule(static)
  for (uint64_t bin = 0; bin < bins; ++bin) total[bin] = 0;
#pragma omp parallel for schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread)
    for (uint64_t bin = 0; bin < bins; ++bin) counts[bins * (uint64_t)thread + bin] = 0;
  gable_marker_start("histogram");
  for (long r = 0; r < repetitions; ++r) {
#pragma omp parallel num_threads(threads)
    {
      uint32_t* own = counts + bins * (uint64_t)omp_get_thread_num();
      for (uint64_t bin = 0; bin < bins; ++bin) own[bin] = 0;
#pragma omp for schedule(static)
      for (uint64_t i = 0; i < n; ++i) ++own[values[i] >> (bits - bin_bits)];
#pragma omp for schedule(static)
      for (uint64_t bin = 0; bin < bins; ++bin)
        for (int thread = 0; thread < omp_get_num_threads(); ++thread)
          total[bin] += counts[bins * (uint64_t)thread + bin];
    }
  }
  gable_marker_stop("histogram");
  uint64_t wrong = 0;
  for (uint64_t bin = 0; bin < bins; ++bin) wrong += total[bin] != (n / bins) * (uint64_t)repetitions;
  printf("histogram: %llu of %llu bins wrong", (unsigned long long)wrong, (unsigned long long)bins);
  return verdict(wrong == 0);
}
