/* V-cycles of a 3-D multigrid solver for -laplace u = f on the unit cube with u = 0 on its faces. Unknowns stand in the cells'
 * centres; 7-point residual, weighted Jacobi smoother, restriction by the mean of eight cells, trilinear prolongation.
 * `one`: one thread touches all arrays first; `all`: every thread its own planes. */
#include <gable-marker.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;              /* cells a side; a layer of ghost cells lies round them */
  double *u, *f, *r;  /* solution, right side, residual */
  double h2;          /* square of the cells' width */
} Grid;

static size_t at(const Grid *grid, int z, int y, int x) {
  const size_t side = (size_t)grid->n + 2;
  return ((size_t)z * side + (size_t)y) * side + (size_t)x;
}

static size_t cells(const Grid *grid) {
  const size_t side = (size_t)grid->n + 2;
  return side * side * side;
}

static void touch(Grid *grid, int all) {
  const int n = grid->n;
#pragma omp parallel for schedule(static) if (all)
  for (int z = 0; z <= n + 1; ++z) {
    const size_t from = at(grid, z, 0, 0), count = (size_t)(n + 2) * (size_t)(n + 2);
    memset(grid->u + from, 0, count * sizeof(double));
    memset(grid->f + from, 0, count * sizeof(double));
    memset(grid->r + from, 0, count * sizeof(double));
  }
}

/* u = 0 on the faces, between the last cell and its ghost. */
static void mirror(const Grid *grid, double *u) {
  const int n = grid->n;
#pragma omp parallel for schedule(static)
  for (int a = 0; a <= n + 1; ++a)
    for (int b = 0; b <= n + 1; ++b) {
      u[at(grid, a, b, 0)] = -u[at(grid, a, b, 1)];
      u[at(grid, a, b, n + 1)] = -u[at(grid, a, b, n)];
    }
#pragma omp parallel for schedule(static)
  for (int a = 0; a <= n + 1; ++a)
    for (int b = 0; b <= n + 1; ++b) {
      u[at(grid, a, 0, b)] = -u[at(grid, a, 1, b)];
      u[at(grid, a, n + 1, b)] = -u[at(grid, a, n, b)];
    }
#pragma omp parallel for schedule(static)
  for (int a = 0; a <= n + 1; ++a)
    for (int b = 0; b <= n + 1; ++b) {
      u[at(grid, 0, a, b)] = -u[at(grid, 1, a, b)];
      u[at(grid, n + 1, a, b)] = -u[at(grid, n, a, b)];
    }
}

static void count(double flops, double loads, double stores, int n) {
  const double points = (double)n * n * n;
  gable_marker_work(flops * points, 8 * loads * points, 8 * stores * points);
}

/* r = f + laplace u */
static void residual(Grid *grid) {
  gable_marker_start("residual");
  mirror(grid, grid->u);
  const int n = grid->n;
  const size_t row = (size_t)n + 2, plane = row * row;
  const double scale = 1 / grid->h2;
#pragma omp parallel for schedule(static)
  for (int z = 1; z <= n; ++z)
    for (int y = 1; y <= n; ++y) {
      const double *u = grid->u + at(grid, z, y, 0), *f = grid->f + at(grid, z, y, 0);
      double *r = grid->r + at(grid, z, y, 0);
      for (int x = 1; x <= n; ++x) {
        const double sum = u[x - 1] + u[x + 1] + u[x - row] + u[x + row] + u[x - plane] + u[x + plane];
        r[x] = f[x] + scale * (sum - 6 * u[x]);
      }
    }
  count(9, 8, 1, n);
  gable_marker_stop("residual");
}

/* u += 6/7 of what would make the residual of each cell 0 */
static void smooth(Grid *grid) {
  residual(grid);
  gable_marker_start("smooth");
  const int n = grid->n;
  const double weight = 6.0 / 7 * grid->h2 / 6;
#pragma omp parallel for schedule(static)
  for (int z = 1; z <= n; ++z)
    for (int y = 1; y <= n; ++y) {
      double *u = grid->u + at(grid, z, y, 0);
      const double *r = grid->r + at(grid, z, y, 0);
      for (int x = 1; x <= n; ++x) u[x] += weight * r[x];
    }
  count(2, 2, 1, n);
  gable_marker_stop("smooth");
}

/* The coarse right side: the mean of the eight cells. */
static void restrict_to(const Grid *fine, Grid *coarse) {
  gable_marker_start("restrict");
  const int n = coarse->n;
#pragma omp parallel for schedule(static)
  for (int z = 1; z <= n; ++z)
    for (int y = 1; y <= n; ++y)
      for (int x = 1; x <= n; ++x) {
        double sum = 0;
        for (int k = 0; k < 8; ++k)
          sum += fine->r[at(fine, 2 * z - (k >> 2 & 1), 2 * y - (k >> 1 & 1), 2 * x - (k & 1))];
        coarse->f[at(coarse, z, y, x)] = sum / 8;
        coarse->u[at(coarse, z, y, x)] = 0;
      }
  count(9, 8, 2, n);
  gable_marker_stop("restrict");
}

/* Adds the coarse correction, trilinear between the coarse cells' centres. */
static void prolong(const Grid *coarse, Grid *fine) {
  gable_marker_start("prolong");
  mirror(coarse, coarse->u);
  const int n = fine->n;
#pragma omp parallel for schedule(static)
  for (int z = 1; z <= n; ++z)
    for (int y = 1; y <= n; ++y)
      for (int x = 1; x <= n; ++x) {
        const int c[3] = {(z + 1) / 2, (y + 1) / 2, (x + 1) / 2};
        const int d[3] = {z % 2 ? -1 : 1, y % 2 ? -1 : 1, x % 2 ? -1 : 1}; /* towards the other neighbour */
        double sum = 0;
        for (int k = 0; k < 8; ++k) {
          const int o[3] = {k >> 2 & 1, k >> 1 & 1, k & 1};
          const double weight = (o[0] ? 0.25 : 0.75) * (o[1] ? 0.25 : 0.75) * (o[2] ? 0.25 : 0.75);
          sum += weight * coarse->u[at(coarse, c[0] + o[0] * d[0], c[1] + o[1] * d[1], c[2] + o[2] * d[2])];
        }
        fine->u[at(fine, z, y, x)] += sum;
      }
  count(33, 9, 1, n);
  gable_marker_stop("prolong");
}

static void v_cycle(Grid *grids, int level, int levels) {
  const int visits = level + 1 < levels ? 2 : 40;
  for (int i = 0; i < visits; ++i) smooth(&grids[level]);
  if (level + 1 == levels) return;
  residual(&grids[level]);
  restrict_to(&grids[level], &grids[level + 1]);
  v_cycle(grids, level + 1, levels);
  prolong(&grids[level + 1], &grids[level]);
  for (int i = 0; i < visits; ++i) smooth(&grids[level]);
}

static double norm(Grid *grid) {
  residual(grid);
  const int n = grid->n;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int z = 1; z <= n; ++z)
    for (int y = 1; y <= n; ++y)
      for (int x = 1; x <= n; ++x) sum += grid->r[at(grid, z, y, x)] * grid->r[at(grid, z, y, x)];
  return sqrt(sum);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 128, cycles = argc > 2 ? atoi(argv[2]) : 5;
  const int all = argc > 3 ? strcmp(argv[3], "one") != 0 : 1;
  if (n < 4 || (n & (n - 1)) != 0 || cycles < 1) {
    fprintf(stderr, "usage: mg [cells a side: a power of two from 4] [cycles] [one|all]\n");
    return 2;
  }
  Grid grids[32];
  int levels = 0;
  for (int side = n; side >= 2; side /= 2, ++levels) {
    Grid *grid = &grids[levels];
    grid->n = side;
    grid->h2 = 1.0 / side / side;
    const size_t bytes = (cells(grid) * sizeof(double) + 4095) / 4096 * 4096;
    grid->u = aligned_alloc(4096, bytes);
    grid->f = aligned_alloc(4096, bytes);
    grid->r = aligned_alloc(4096, bytes);
    if (!grid->u || !grid->f || !grid->r) {
      fprintf(stderr, "no memory for %d cells a side\n", n);
      return 1;
    }
    touch(grid, all);
  }
  grids[0].f[at(&grids[0], n / 4 + 1, n / 2, n / 2)] = 1; /* a charge and its opposite */
  grids[0].f[at(&grids[0], 3 * n / 4, n / 2, n / 2)] = -1;
  const double before = norm(&grids[0]);
  gable_marker_start("mg");
  for (int i = 0; i < cycles; ++i) v_cycle(grids, 0, levels);
  gable_marker_stop("mg");
  const double after = norm(&grids[0]);
  const double factor = pow(after / before, 1.0 / cycles);
  printf("mg: the residual falls by a factor of %.3f a cycle, to %.3g\n", factor, after);
  return factor < 0.4 ? 0 : 1; /* multigrid converges whatever the size */
}
