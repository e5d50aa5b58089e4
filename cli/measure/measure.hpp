#pragma once

// gable measure DIR: measures this machine into a folder.

#include <string>

#include "bench/plan/plan.hpp"

namespace gable::cli {

struct MeasureArguments {
  std::string folder;  ///< of the recorded machine; may be empty with dry_run
  std::string preset = "standard";
  std::string budget;          ///< "90", "90s", "5m", "1h"; empty: none
  std::string xml, synthetic;  ///< topology of another machine, for dry_run; empty: this machine
  bool dry_run = false;        ///< print the plan and measure nothing
  bool quiet = false;          ///< no progress
  bench::Options options;      ///< preset and budget_seconds are set from the fields above
  std::string call;            ///< the user's call, for the hint how to continue
};

/// "quick (summary); standard (summary)"
std::string preset_names();

/// Measures what the folder does not have yet. Throws UsageError, Interrupted.
void measure(MeasureArguments arguments);

}  // namespace gable::cli
