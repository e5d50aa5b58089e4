/* STREAM's triad: a = b + q c. Every element is checked. */
#include "program.h"

int main(int argc, char** argv) {
  const char* usage = "triad DOUBLES REPETITIONS";
  const long n = argument(argc, argv, 1, 1, usage), repetitions = argument(argc, argv, 2, 1, usage);
  double* a = allocate((size_t)n, sizeof *a);
  double* b = allocate((size_t)n, sizeof *b);
  double* c = allocate((size_t)n, sizeof *c);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    a[i] = 0;
    b[i] = (double)(i % 1024);
    c[i] = 2;
  }
  gable_marker_start("triad");
  for (long r = 1; r <= repetitions; ++r) {
    const double q = (double)r;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) a[i] = b[i] + q * c[i];
  }
  gable_marker_stop("triad");
  long wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
  for (long i = 0; i < n; ++i) wrong += a[i] != (double)(i % 1024 + 2 * repetitions);
  printf("triad: %ld of %ld elements wrong", wrong, n);
  return verdict(wrong == 0);
}
