#pragma once

// Which launcher started this process, told by its environment alone: Slurm's srun, Open MPI, MPICH and Intel
// MPI (Hydra), MVAPICH, Cray PALS, Flux.

#include <optional>
#include <string>
#include <vector>

namespace gable::cli {

/// A process among those that one launcher started.
struct Launch {
  std::string launcher;  ///< "srun", "Open MPI", "Hydra", ...
  std::string id;        ///< the same for all processes of the launch; empty where the launcher has none
  int rank = 0, size = 1;
  int local_rank = 0, local_size = 1;  ///< on this node

  int nodes() const { return (size + local_size - 1) / local_size; }
};

/// Nothing where no launcher started this process.
std::optional<Launch> this_launch();

/// Undoes the binding to some CPUs that MPI launchers do unasked: a node is measured with all CPUs that the
/// job may use. srun's stays: it may stand for what was allocated.
void leave_binding(const Launch& launch);

/// The name of this node: Slurm's, or the host's without its domain.
std::string node_name();

/// The nodes of the Slurm allocation in which this process runs, empty outside; asks scontrol. Throws
/// std::runtime_error if that fails.
std::vector<std::string> allocated_nodes();

}  // namespace gable::cli
