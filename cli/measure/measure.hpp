#pragma once

// gable measure DIR: measures this machine into a folder.

#include <string>

#include "bench/plan/plan.hpp"

namespace CLI {
class App;
}

namespace gable::cli {

struct MeasureArguments {
  std::string folder;  ///< of the recorded machine; may be empty with plan_only()
  std::string preset = "standard";
  std::string budget;          ///< "90", "90s", "5m", "1h"; empty: none
  std::string virt;            ///< "later", "now": see virt_request; empty: with the rest
  std::string goal;            ///< what the progress counts down to; empty: the end of this call
  std::string xml, synthetic;  ///< topology of another machine, for plan_only(); empty: this machine
  bool dry_run = false;        ///< print the plan and measure nothing
  bool list = false;           ///< print the kernels and cells of the plan and measure nothing
  bool json = false;           ///< with list: print JSON
  bool quiet = false;          ///< no progress

  bool plan_only() const { return dry_run || list; }
  bench::Options options;  ///< preset and budget_seconds are set from the fields above
  std::string call;        ///< what the user called, for the advice to go on
};

/// Measures what the folder does not have yet. Throws Error::usage, Error::interrupted.
void measure(MeasureArguments arguments);

/// Adds the options that say what is measured, and the list of presets, for the commands that measure;
/// `arguments` must live as long as the App.
void add_measure_options(CLI::App& command, MeasureArguments& arguments);

}  // namespace gable::cli
