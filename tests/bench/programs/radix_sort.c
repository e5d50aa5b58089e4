/* Radix sort of 2^BITS records by their keys of 32 bits: four passes over 8 bits each, least significant
 * first. A key is computed from its record's number, so the result is checked record by record. */
#include <omp.h>

#include "program.h"

enum { digits = 256, passes = 4 };

typedef struct {
  uint32_t key, number;
} Record;

static uint32_t key_of(uint64_t number) {
  return (uint32_t)mixed(number);
}

/* One pass, stable. `places`: where each thread writes its next record with each digit. */
static void sort_by_digit(uint64_t n, int shift, const Record* from, Record* to, uint64_t (*places)[digits]) {
#pragma omp parallel
  {
    uint64_t* own = places[omp_get_thread_num()];
    for (int digit = 0; digit < digits; ++digit) own[digit] = 0;
#pragma omp for schedule(static)
    for (uint64_t i = 0; i < n; ++i) ++own[from[i].key >> shift & (digits - 1)];
#pragma omp single
    {
      uint64_t place = 0;
      for (int digit = 0; digit < digits; ++digit)
        for (int thread = 0; thread < omp_get_num_threads(); ++thread) {
          const uint64_t count = places[thread][digit];
          places[thread][digit] = place;
          place += count;
        }
    }
#pragma omp for schedule(static)
    for (uint64_t i = 0; i < n; ++i) to[own[from[i].key >> shift & (digits - 1)]++] = from[i];
  }
}

int main(int argc, char** argv) {
  const char* usage = "radix_sort BITS REPETITIONS";
  const uint64_t n = 1ull << argument(argc, argv, 1, 1, usage);
  const long repetitions = argument(argc, argv, 2, 1, usage);
  Record* input = allocate(n, sizeof *input);
  Record* a = allocate(n, sizeof *a);
  Record* b = allocate(n, sizeof *b);
  uint64_t(*places)[digits] = allocate((size_t)omp_get_max_threads(), sizeof *places);
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < n; ++i) {
    input[i] = (Record){key_of(i), (uint32_t)i};
    a[i] = b[i] = (Record){0, 0};
  }
  gable_marker_start("radix_sort");
  for (long r = 0; r < repetitions; ++r)
    for (int pass = 0; pass < passes; ++pass)
      sort_by_digit(n, 8 * pass, pass == 0 ? input : pass % 2 ? a : b, pass % 2 ? b : a, places);
  gable_marker_stop("radix_sort");
  uint64_t wrong = 0, sum = 0, squares = 0; /* the sums show that every number is still there */
  for (uint64_t i = 0; i < n; ++i) {
    const Record at = b[i];
    wrong += at.key != key_of(at.number);
    wrong += i > 0 && (at.key < b[i - 1].key || (at.key == b[i - 1].key && at.number < b[i - 1].number));
    sum += at.number - i;
    squares += (uint64_t)at.number * at.number - i * i;
  }
  printf("radix_sort: smallest key %u, largest %u", b[0].key, b[n - 1].key);
  return verdict(wrong == 0 && sum == 0 && squares == 0);
}
