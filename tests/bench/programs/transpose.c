/* Transposition of a square matrix, row by row of the result and without blocks. */
#include "program.h"

int main(int argc, char** argv) {
  const char* usage = "transpose ROWS REPETITIONS";
  const long n = argument(argc, argv, 1, 1, usage), repetitions = argument(argc, argv, 2, 1, usage);
  double* a = allocate((size_t)(n * n), sizeof *a);
  double* b = allocate((size_t)(n * n), sizeof *b);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      a[i * n + j] = (double)(i * n + j);
      b[i * n + j] = 0;
    }
  gable_marker_start("transpose");
  for (long r = 0; r < repetitions; ++r) {
    const double* from = r % 2 ? b : a;
    double* to = r % 2 ? a : b;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < n; ++j) to[i * n + j] = from[j * n + i];
  }
  gable_marker_stop("transpose");
  long wrong = 0; /* b is transposed; a was transposed back if it was written */
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      wrong += a[i * n + j] != (double)(i * n + j) || b[i * n + j] != (double)(j * n + i);
  printf("transpose: %ld of %ld elements wrong", wrong, n * n);
  return verdict(wrong == 0);
}
