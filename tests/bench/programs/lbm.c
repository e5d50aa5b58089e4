/* Lattice Boltzmann, D2Q9 with one relaxation time, on a torus: a shear wave u_x = U sin(k y) decays by
 * exp(-viscosity k^2 t). Each step pulls the nine populations from the neighbours and relaxes them. */
#include <math.h>

#include "program.h"

enum { directions = 9 };
static const int cx[directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1},
                 cy[directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weights[directions] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                           1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
static const double omega = 1.25; /* relaxation; the viscosity is (1 / omega - 1 / 2) / 3 */

static double equilibrium(int d, double density, double ux, double uy) {
  const double along = cx[d] * ux + cy[d] * uy;
  return weights[d] * density * (1 + 3 * along + 4.5 * along * along - 1.5 * (ux * ux + uy * uy));
}

/* One step; populations of direction d are the array of nx * ny numbers at d * nx * ny. */
static void step(long nx, long ny, const double* from, double* to) {
  const long cells = nx * ny;
#pragma omp parallel for schedule(static)
  for (long y = 0; y < ny; ++y)
    for (long x = 0; x < nx; ++x) {
      double f[directions], density = 0, ux = 0, uy = 0;
      for (int d = 0; d < directions; ++d) {
        const long left = x - cx[d], below = y - cy[d];
        const long source_x = left < 0 ? nx - 1 : left == nx ? 0 : left;
        const long source_y = below < 0 ? ny - 1 : below == ny ? 0 : below;
        f[d] = from[d * cells + source_y * nx + source_x];
        density += f[d];
        ux += cx[d] * f[d];
        uy += cy[d] * f[d];
      }
      ux /= density;
      uy /= density;
      for (int d = 0; d < directions; ++d)
        to[d * cells + y * nx + x] = f[d] + omega * (equilibrium(d, density, ux, uy) - f[d]);
    }
}

int main(int argc, char** argv) {
  const char* usage = "lbm WIDTH HEIGHT STEPS";
  const long nx = argument(argc, argv, 1, 3, usage), ny = argument(argc, argv, 2, 16, usage);
  const long steps = argument(argc, argv, 3, 10, usage), cells = nx * ny;
  const double waves = (double)(ny < 48 ? 1 : ny / 24), k = 2 * acos(-1) * waves / (double)ny, speed = 0.02;
  double* a = allocate((size_t)(directions * cells), sizeof *a);
  double* b = allocate((size_t)(directions * cells), sizeof *b);
#pragma omp parallel for schedule(static)
  for (long y = 0; y < ny; ++y)
    for (int d = 0; d < directions; ++d)
      for (long x = 0; x < nx; ++x) {
        a[d * cells + y * nx + x] = equilibrium(d, 1, speed * sin(k * (double)y), 0);
        b[d * cells + y * nx + x] = 0;
      }
  gable_marker_start("lbm");
  for (long i = 0; i < steps; ++i) step(nx, ny, i % 2 ? b : a, i % 2 ? a : b);
  gable_marker_stop("lbm");
  const double* f = steps % 2 ? b : a;
  double mass = 0, amplitude = 0; /* amplitude: of the sine in the momentum along x */
  for (long y = 0; y < ny; ++y)
    for (int d = 0; d < directions; ++d)
      for (long x = 0; x < nx; ++x) {
        mass += f[d * cells + y * nx + x];
        amplitude += 2 * cx[d] * f[d * cells + y * nx + x] * sin(k * (double)y) / (double)cells;
      }
  const double expected = speed * exp(-(1 / omega - 0.5) / 3 * k * k * (double)steps);
  printf("lbm: amplitude %.8f, expected %.8f", amplitude, expected);
  return verdict(fabs(mass / (double)cells - 1) < 1e-10 &&
                 fabs(amplitude - expected) < 0.1 * (speed - expected));
}
