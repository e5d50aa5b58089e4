#pragma once

// Which launcher started this process, told by its environment alone: Slurm's srun, Open MPI, MPICH and Intel
// MPI (Hydra), MVAPICH, Cray PALS, Flux. Which of its processes measures the node.

#include <optional>
#include <string>
#include <vector>

#include "base/owned.hpp"

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

/// The lock's file in node-local storage; its content says who holds it.
std::string lock_path(const std::string& local);

/// One measurement on a node at a time, whatever DIR it measures into.
class NodeLock {
 public:
  /// Throws std::system_error where the file cannot be made.
  NodeLock(const std::string& path, const std::string& owner);

  /// Who else is at work; empty: nobody, and the lock is held.
  const std::string& other() const { return other_; }

 private:
  Descriptor file_;
  std::string other_;
};

/// Sleeps until nobody holds the lock, or a stop is requested.
void wait_for_lock(const std::string& path);

/// --sample K: whether this node is one of the `most` of its group of equal ones. The nodes decide it among
/// themselves, by files that only one of them can create. Slots of nodes that failed are given away again.
/// Throws std::system_error where DIR cannot be written.
bool has_sample_slot(const std::string& folder, const std::string& node, int most);

}  // namespace gable::cli
