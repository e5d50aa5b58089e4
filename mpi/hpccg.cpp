#include "mpi/hpccg.hpp"

#include <numeric>
#include <span>

#include "bench/apps/cg.hpp"
#include "mpi/world.hpp"

namespace gable::mpi {
namespace {

// Fills the neighbours' planes of a vector, which follow its own values: the one from below, then from above.
void exchange(MPI_Comm group, int rank, const bench::CgBox& box, std::span<double> vector) {
  constexpr int upwards = 1, downwards = 2;
  const int below = box.below ? rank - 1 : MPI_PROC_NULL, above = box.above ? rank + 1 : MPI_PROC_NULL;
  const int count = static_cast<int>(box.plane());
  double* const bottom = vector.data();
  double* const top = bottom + box.rows() - box.plane();
  double* const from_below = bottom + box.rows();
  double* const from_above = from_below + (box.below ? box.plane() : 0);
  MPI_Sendrecv(top, count, MPI_DOUBLE, above, upwards, from_below, count, MPI_DOUBLE, below, upwards, group,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(bottom, count, MPI_DOUBLE, below, downwards, from_above, count, MPI_DOUBLE, above, downwards,
               group, MPI_STATUS_IGNORE);
}

double sum_of(MPI_Comm group, double own) {
  double all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, group);
  return all;
}

}  // namespace

CgResult solve(MPI_Comm group, int nx, int ny, int nz, int iterations) {
  int rank = 0, size = 1;
  MPI_Comm_rank(group, &rank);
  MPI_Comm_size(group, &size);
  const bench::CgMatrix matrix({nx, ny, nz, rank > 0, rank + 1 < size});
  MPI_Barrier(group);
  const long before = switches();
  const bench::CgResult own = bench::conjugate_gradient(
      matrix, iterations,
      {[&](std::span<double> vector) { exchange(group, rank, matrix.box(), vector); },
       [&](double value) { return sum_of(group, value); }});
  const double disturbed = switches() != before ? 1 : 0, wrong = own.verified ? 0 : 1;
  const double seconds = std::accumulate(own.seconds.begin(), own.seconds.end(), 0.0);
  CgResult result;
  MPI_Allreduce(&seconds, &result.seconds, 1, MPI_DOUBLE, MPI_MAX, group);
  result.iterations = own.iterations;
  result.flops = own.iterations * sum_of(group, own.flops);
  result.disturbed = static_cast<int>(sum_of(group, disturbed));
  result.verified = sum_of(group, wrong) == 0;
  return result;
}

}  // namespace gable::mpi
