// heat N SWEEPS: u = u - 1e-4 sqrt(u) / (1 + u), a square root and a division for each element.
#include <gable-marker.h>
#include <math.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const long n = atol(argv[1]), sweeps = atol(argv[2]);
  double* u = malloc((size_t)n * sizeof *u);
  if (!u) return 1;
  for (long i = 0; i < n; ++i) u[i] = 1 + (double)i;
  gable_marker_start("heat");
  for (long sweep = 0; sweep < sweeps; ++sweep)
    for (long i = 0; i < n; ++i) u[i] -= 1e-4 * sqrt(u[i]) / (1 + u[i]);
  gable_marker_stop("heat");
  return !(u[0] < 1);
}
