#pragma once

// A conjugate gradient solver like HPCCG (Heroux 2007): a 27-point operator on a box of nx × ny × nz points
// for each process, the boxes stacked along z (bench/apps/cg.hpp). The solution is known: all ones.

#include <mpi.h>

namespace gable::mpi {

struct CgResult {
  double seconds = 0;  ///< of the iterations, of the slowest process
  double flops = 0;    ///< of all processes together
  int iterations = 0;  ///< fewer than asked for where the solution is exact before
  int disturbed = 0;   ///< processes that were descheduled meanwhile
  bool verified =
      false;  ///< on every process: the residual, computed anew, and the distance from the solution
};

/// Collective over the group: `iterations` of CG.
CgResult solve(MPI_Comm group, int nx, int ny, int nz, int iterations);

}  // namespace gable::mpi
