/* Jacobi sweeps of the 7-point stencil on a cube with SIDE inner points a side and 0 on its faces. A product
 * of sines shrinks by the same factor in every sweep. */
#include <math.h>

#include "program.h"

int main(int argc, char** argv) {
  const char* usage = "stencil SIDE SWEEPS";
  const long side = argument(argc, argv, 1, 1, usage), sweeps = argument(argc, argv, 2, 1, usage);
  const long row = side + 2, plane = row * row;
  const double angle = acos(-1) / (double)(side + 1);
  double* a = allocate((size_t)(plane * row), sizeof *a);
  double* b = allocate((size_t)(plane * row), sizeof *b);
  double* sine = allocate((size_t)row, sizeof *sine);
  for (long i = 0; i < row; ++i) sine[i] = i == 0 || i == side + 1 ? 0 : sin(angle * (double)i);
#pragma omp parallel for schedule(static)
  for (long z = 0; z < row; ++z)
    for (long y = 0; y < row; ++y)
      for (long x = 0; x < row; ++x) {
        a[z * plane + y * row + x] = sine[z] * sine[y] * sine[x];
        b[z * plane + y * row + x] = 0;
      }
  const double *from = a, *result = a;
  double* to = b;
  gable_marker_start("stencil");
  for (long sweep = 0; sweep < sweeps; ++sweep) {
#pragma omp parallel for schedule(static)
    for (long z = 1; z <= side; ++z)
      for (long y = 1; y <= side; ++y) {
        const double* u = from + z * plane + y * row;
        double* v = to + z * plane + y * row;
        for (long x = 1; x <= side; ++x)
          v[x] = (u[x - 1] + u[x + 1] + u[x - row] + u[x + row] + u[x - plane] + u[x + plane]) * (1.0 / 6);
      }
    result = to;
    to = (double*)from;
    from = result;
  }
  gable_marker_stop("stencil");
  const double factor = pow(cos(angle), (double)sweeps);
  double worst = 0;
  for (long z = 0; z < row; ++z)
    for (long y = 0; y < row; ++y)
      for (long x = 0; x < row; ++x)
        worst = fmax(worst, fabs(result[z * plane + y * row + x] - factor * sine[z] * sine[y] * sine[x]));
  printf("stencil: amplitude %.6f after %ld sweeps", factor, sweeps);
  return verdict(worst < 1e-11);
}
