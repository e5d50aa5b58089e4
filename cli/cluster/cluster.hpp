#pragma once

// gable cluster measure and compare.

#include <optional>
#include <string>
#include <vector>

#include "cli/output_file.hpp"

namespace gable::cli {

/// What a node prints as lines (run/delivery.hpp) for the process that started its launcher.
enum class NodeStream {
  none,
  failures,  ///< why it has no result, where it cannot write that into DIR
  results    ///< everything, instead of writing it into DIR
};

/// gable cluster measure DIR: every node of a Slurm allocation or of an MPI launch measures itself.
struct ClusterMeasureArguments {
  std::string folder;                    ///< DIR
  std::vector<std::string> options;      ///< of gable measure, as words
  std::string deadline;                  ///< "10m"; empty: from the budget, or an hour
  std::string budget;                    ///< of gable measure; empty: none
  std::string local;                     ///< node-local storage; empty: $TMPDIR or /tmp
  int sample = 0;                        ///< nodes of each group; 0: all
  std::string gather;                    ///< a launcher's command through which the results come; empty: none
  NodeStream stream = NodeStream::none;  ///< what a node prints for the process that started the launcher
  std::vector<std::string> skip;         ///< nodes to leave out
  bool submit = false, script = false;   ///< write the batch script; submit it too
  std::vector<std::string> sbatch;       ///< words for #SBATCH lines: "--partition=p"
  int nodes = 0;                         ///< of the job that is submitted; 0: not given
  bool quiet = false;                    ///< no progress
  std::string call;                      ///< what the user called
};

/// Throws Error::usage, Error::interrupted; std::runtime_error if a node has no complete result.
void cluster_measure(const ClusterMeasureArguments& arguments);

/// gable cluster compare DIR EARLIER: how every roof changed since an earlier recording of the same nodes.
struct ClusterCompareArguments {
  std::string folder, earlier;
  std::optional<double> fail_above;  ///< percent
  bool json = false;
  bool all = false;    ///< every roof, not only those that changed
  std::string output;  ///< folder of the charts; empty: none
  PictureArguments pictures;
};

/// Prints tables or JSON. Throws Error::usage, Error::format; std::runtime_error after everything is printed,
/// if with `fail_above` a roof of a group or a node became significantly worse by more, or a node
/// failed or lost its figures.
void cluster_compare(const ClusterCompareArguments& arguments);

}  // namespace gable::cli
