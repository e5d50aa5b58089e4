/* Sparse triangular solve L x = b in CSR, level by level: L is the lower part of the 7-point Laplacian of a
 * cube with SIDE cells a side. All numbers are small integers, so the solution is exact. */
#include "program.h"

static long row_of(long side, long x, long y, long z) {
  return (z * side + y) * side + x;
}

/* A level has the rows with x + y + z = level: they depend only on the level before. Returns how many they
 * are. */
static long rows_of_level(long side, long level, int* rows) {
  long count = 0;
  for (long z = 0; z < side && z <= level; ++z)
    for (long y = 0; y < side && y + z <= level; ++y)
      if (level - y - z < side) rows[count++] = (int)row_of(side, level - y - z, y, z);
  return count;
}

static double solution(long row) {
  return (double)(mixed((uint64_t)row) % 32);
}

int main(int argc, char** argv) {
  const char* usage = "triangular_solve SIDE REPETITIONS";
  const long side = argument(argc, argv, 1, 2, usage), repetitions = argument(argc, argv, 2, 1, usage);
  const long n = side * side * side, levels = 3 * side - 2;
  int* order = allocate((size_t)n, sizeof *order); /* the rows, level by level */
  long* level_starts = allocate((size_t)levels + 1, sizeof *level_starts);
  long* starts = allocate((size_t)n + 1, sizeof *starts);
  int* columns = allocate((size_t)n * 4, sizeof *columns);
  double* values = allocate((size_t)n * 4, sizeof *values);
  double* b = allocate((size_t)n, sizeof *b);
  double* x = allocate((size_t)n, sizeof *x);
#pragma omp parallel for schedule(static)
  for (long row = 0; row < n; ++row) order[row] = 0, starts[row] = 0;
  level_starts[0] = starts[0] = 0;
  for (long level = 0; level < levels; ++level)
    level_starts[level + 1] = level_starts[level] + rows_of_level(side, level, order + level_starts[level]);
  for (long row = 0; row < n; ++row)
    starts[row + 1] = starts[row] + 1 + (row % side > 0) + (row / side % side > 0) + (row / side / side > 0);
#pragma omp parallel for schedule(static)
  for (long row = 0; row < n; ++row) {
    long k = starts[row];
    if (row / side / side > 0) columns[k++] = (int)(row - side * side);
    if (row / side % side > 0) columns[k++] = (int)(row - side);
    if (row % side > 0) columns[k++] = (int)(row - 1);
    columns[k] = (int)row; /* the diagonal comes last */
    b[row] = 0;
    for (k = starts[row]; k < starts[row + 1]; ++k) {
      values[k] = columns[k] == row ? 4 : -1;
      b[row] += values[k] * solution(columns[k]);
    }
    x[row] = 0;
  }
  gable_marker_start("triangular_solve");
  for (long r = 0; r < repetitions; ++r)
#pragma omp parallel
    for (long level = 0; level < levels; ++level) {
#pragma omp for schedule(static)
      for (long i = level_starts[level]; i < level_starts[level + 1]; ++i) {
        const long row = order[i], last = starts[row + 1] - 1;
        double sum = b[row];
        for (long k = starts[row]; k < last; ++k) sum -= values[k] * x[columns[k]];
        x[row] = sum / values[last];
      }
    }
  gable_marker_stop("triangular_solve");
  long wrong = 0;
  for (long row = 0; row < n; ++row) wrong += x[row] != solution(row);
  printf("triangular_solve: %ld of %ld unknowns wrong", wrong, n);
  return verdict(wrong == 0);
}
