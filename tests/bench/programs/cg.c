/* Conjugate gradients on a matrix in CSR: the 7-point Laplacian of a cube with SIDE cells a side. The
 * residual is computed anew at the end and compared with that of the recurrence. */
#include <math.h>

#include "program.h"

static double dot(long n, const double* a, const double* b) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

static void multiply(long n, const long* starts, const int* columns, const double* values, const double* x,
                     double* y) {
#pragma omp parallel for schedule(static)
  for (long row = 0; row < n; ++row) {
    double sum = 0;
    for (long k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

/* The neighbours of a row with smaller and larger numbers, and itself in the middle; returns how many they
 * are. */
static int row_columns(long side, long row, int columns[7]) {
  const long x = row % side, y = row / side % side, z = row / side / side;
  const long steps[7] = {-side * side, -side, -1, 0, 1, side, side * side};
  const int inside[7] = {z > 0, y > 0, x > 0, 1, x + 1 < side, y + 1 < side, z + 1 < side};
  int count = 0;
  for (int k = 0; k < 7; ++k)
    if (inside[k]) columns[count++] = (int)(row + steps[k]);
  return count;
}

int main(int argc, char** argv) {
  const char* usage = "cg SIDE ITERATIONS";
  const long side = argument(argc, argv, 1, 2, usage), iterations = argument(argc, argv, 2, 1, usage);
  const long n = side * side * side;
  long* starts = allocate((size_t)n + 1, sizeof *starts);
  int* columns = allocate((size_t)n * 7, sizeof *columns);
  double* values = allocate((size_t)n * 7, sizeof *values);
  double* x = allocate((size_t)n, sizeof *x);
  double* r = allocate((size_t)n, sizeof *r);
  double* p = allocate((size_t)n, sizeof *p);
  double* q = allocate((size_t)n, sizeof *q);
  int neighbours[7];
#pragma omp parallel for schedule(static)
  for (long row = 0; row <= n; ++row) starts[row] = 0;
  for (long row = 0; row < n; ++row) starts[row + 1] = starts[row] + row_columns(side, row, neighbours);
#pragma omp parallel for schedule(static) private(neighbours)
  for (long row = 0; row < n; ++row) {
    row_columns(side, row, neighbours);
    for (long k = starts[row]; k < starts[row + 1]; ++k) {
      columns[k] = neighbours[k - starts[row]];
      values[k] = columns[k] == row ? 6 : -1;
    }
    x[row] = q[row] = 0;
    r[row] = p[row] = 1; /* the right side */
  }
  gable_marker_start("cg");
  double square = dot(n, r, r);
  for (long i = 0; i < iterations && square > 0; ++i) {
    multiply(n, starts, columns, values, p, q);
    const double alpha = square / dot(n, p, q);
#pragma omp parallel for schedule(static)
    for (long row = 0; row < n; ++row) {
      x[row] += alpha * p[row];
      r[row] -= alpha * q[row];
    }
    const double before = square;
    square = dot(n, r, r);
    const double beta = square / before;
#pragma omp parallel for schedule(static)
    for (long row = 0; row < n; ++row) p[row] = r[row] + beta * p[row];
  }
  gable_marker_stop("cg");
  multiply(n, starts, columns, values, x, q);
  double again = 0, sum = 0;
  for (long row = 0; row < n; ++row) {
    again += (1 - q[row]) * (1 - q[row]);
    sum += 1 - q[row];
  }
  const double scale = sqrt((double)n), difference = fabs(sqrt(again) - sqrt(square)) / scale;
  printf("cg: relative residual %.4e after %ld iterations", sqrt(square) / scale, iterations);
  return verdict(difference < 1e-9 && fabs(sum) < 1e-6 * (double)n);
}
