#pragma once

// Lines between cores and virtualization, as parts of `gable measure`: what is asked for, their plans, and
// their measurements.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/c2c/c2c_campaign.hpp"
#include "bench/virt/virt_cells.hpp"
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

struct ExtraOutcome {
  std::string words;     ///< closing ones
  bool complete = true;  ///< everything was visited
};

/// Measures what the folder lacks into its c2c.jsonl. The folder is locked by the caller.
ExtraOutcome measure_c2c(const std::string& folder, const machines::Machine& machine,
                         const machines::Host& host, const bench::C2cPlan& plan, double budget,
                         double seconds_after, bool quiet);

struct VirtRequest {
  bench::VirtOptions options;
  bool alone = false;  ///< nothing else was asked for
};

/// What `--only virt`, or `--only virt,noise`, asks for, and takes these filters out of `options.only`.
/// Without any filter it is also wanted of the presets standard and full where a hypervisor is seen and the
/// machine is not emulated. This is left out with `when` "later", and is all that "now" wants, unless there
/// is a budget, which is that of one call. Throws Error::usage for an unknown kind.
std::optional<VirtRequest> virt_request(bench::Options& options, const machines::Host& host,
                                        std::string_view when);

/// "Virtualization: 24 cells, 48 visits, about 0:20", with a line for each kind. `folder` may have some
/// visits.
std::string virt_plan_text(const std::vector<bench::VirtCell>& cells, const std::string& folder);

/// The seconds that the visits which `folder` lacks are expected to take.
double virt_seconds_left(const std::vector<bench::VirtCell>& cells, const std::string& folder);

/// Measures the cells that the folder lacks into its virt.jsonl. The folder is locked by the caller.
ExtraOutcome measure_virt(const std::string& folder, const machines::Host& host,
                          const std::vector<bench::VirtCell>& cells, double budget, bool quiet);

}  // namespace gable::cli
