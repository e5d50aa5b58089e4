#pragma once

// gable kmaf generate: traces of kernels with known sharing.

#include <string>

#include "kmaf/traces/workloads.hpp"

namespace gable::cli {

struct KmafGenerateArguments {
  std::string kernel;  ///< name of a kmaf::Workload
  std::string output;  ///< file; binary if its name ends in .trace, else CSV
  kmaf::WorkloadShape shape;
};

/// Throws Error::usage, Error::interrupted.
void generate_trace(const KmafGenerateArguments& arguments);

}  // namespace gable::cli
