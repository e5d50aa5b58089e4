#pragma once

// gable virt: what virtualization costs here, which paging a workload should have, and what noise does on
// many nodes.

#include <optional>
#include <string>

#include "cli/output_file.hpp"
#include "model/virt/advise.hpp"
#include "model/virt/scale.hpp"

namespace gable::cli {

struct VirtShowArguments {
  std::string folder;
  std::string native;  ///< of the same hardware without a hypervisor; empty: none
};

/// Prints the tables. Throws Error::usage, Error::format.
void virt_show(const VirtShowArguments& arguments);

struct VirtScaleArguments {
  std::string folder;           ///< empty: synthetic noise
  std::optional<double> share;  ///< of synthetic noise, in per cent
  std::string period = "4ms";   ///< of synthetic noise
  bool random = false;          ///< synthetic noise at random instead of regular
  int nodes = 100'000;
  std::string compute = "10ms", latency = "2us", overhead = "1us";
  std::string collective = "dissemination";
  bool json = false;
  std::string output;  ///< folder of the picture; empty: none
  PictureArguments pictures;
  model::ScaleOptions options;  ///< steps and strong
};

/// Prints the slowdown over nodes. Throws Error::usage, Error::format.
void virt_scale(VirtScaleArguments arguments);

struct VirtAdviseArguments {
  std::string native, guest;  ///< folders; no guest: empty
  model::VirtWorkload workload;
  std::string trace;         ///< of accesses; empty: none
  double trace_seconds = 0;  ///< how long the traced program runs natively
  model::ExitCost exit;
};

/// Prints what nested and shadow paging cost, and which is better. Throws Error::usage, Error::format.
void virt_advise(VirtAdviseArguments arguments);

}  // namespace gable::cli
