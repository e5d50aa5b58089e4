/* N bodies of equal mass on a ring, all pairs, softened gravity, leapfrog. The ring turns as a whole, at a
 * speed for which there is a formula; the radius and the angle of every body are checked. */
#include <math.h>

#include "program.h"

static const double softening = 1e-3; /* square of the length */

/* Square of the angular speed: what the other bodies' pull towards the centre amounts to, at radius 1 and
 * with total mass 1. */
static double turning_square(long n) {
  double sum = 0;
  for (long k = 1; k < n; ++k) {
    const double half = sin(acos(-1) * (double)k / (double)n), distance = 2 * half;
    sum += 2 * half * half / pow(distance * distance + softening, 1.5);
  }
  return sum / (double)n;
}

static void accelerate(long n, const double* x, const double* y, double* vx, double* vy, double time) {
  const double mass = 1 / (double)n;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    double ax = 0, ay = 0;
    for (long j = 0; j < n; ++j) {
      const double dx = x[j] - x[i], dy = y[j] - y[i], square = dx * dx + dy * dy + softening;
      const double pull = mass / (square * sqrt(square));
      ax += pull * dx;
      ay += pull * dy;
    }
    vx[i] += time * ax;
    vy[i] += time * ay;
  }
}

int main(int argc, char** argv) {
  const char* usage = "nbody BODIES STEPS";
  const long n = argument(argc, argv, 1, 2, usage), steps = argument(argc, argv, 2, 1, usage);
  double* x = allocate((size_t)n, sizeof *x);
  double* y = allocate((size_t)n, sizeof *y);
  double* vx = allocate((size_t)n, sizeof *vx);
  double* vy = allocate((size_t)n, sizeof *vy);
  const double turn = 2 * acos(-1) / (double)n, speed = sqrt(turning_square(n)), time = 0.001 / speed;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    x[i] = cos(turn * (double)i);
    y[i] = sin(turn * (double)i);
    vx[i] = -speed * y[i];
    vy[i] = speed * x[i];
  }
  gable_marker_start("nbody");
  accelerate(n, x, y, vx, vy, time / 2);
  for (long step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) {
      x[i] += time * vx[i];
      y[i] += time * vy[i];
    }
    accelerate(n, x, y, vx, vy, time);
  }
  gable_marker_stop("nbody");
  double worst = 0;
  for (long i = 0; i < n; ++i) {
    const double angle = turn * (double)i + 0.001 * (double)steps;
    worst = fmax(worst, hypot(x[i] - cos(angle), y[i] - sin(angle)));
  }
  printf("nbody: turned by %.3f", 0.001 * (double)steps);
  return verdict(worst < 1e-6);
}
