#pragma once

// Lines between cores, as a part of `gable measure`: what is asked for, its plan, and its measurement.

#include <optional>
#include <string>
#include <string_view>

#include "bench/c2c/c2c_campaign.hpp"
#include "cli/measure/measure.hpp"

namespace gable::cli {

struct C2cRequest {
  bench::C2cOptions options;
  bool alone = false;  ///< nothing else was asked for
};

/// What `--only c2c` asks for, and takes it out of `options.only`. If `any` filter was given, nothing else
/// asks for it; otherwise the presets standard and full do. With `when` "now" it was measured in an earlier
/// call (virt_request).
std::optional<C2cRequest> c2c_request(bench::Options& options, bool any, std::string_view when);

/// The samples of the folder; none if there is no such folder or file.
std::vector<model::C2cSample> recorded_c2c(const std::string& folder);

/// "Core to core: 110 cells, 660 visits, about 0:14", with a line for each class. `folder` may have some
/// visits.
std::string c2c_plan_text(const bench::C2cPlan& plan, const std::string& folder);

/// Measures what the folder lacks into its c2c.jsonl. The folder is locked by the caller. Returns the closing
/// words, and whether everything was visited.
struct C2cOutcome {
  std::string words;
  bool complete = true;
};
C2cOutcome measure_c2c(const std::string& folder, const machines::Machine& machine,
                       const machines::Host& host, const bench::C2cPlan& plan, double budget,
                       double seconds_after, bool quiet);

}  // namespace gable::cli
