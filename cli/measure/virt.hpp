#pragma once

// The virtualization set of `gable measure`: what is asked for, its plan, and its measurement.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/virt/virt_cells.hpp"
#include "cli/measure/measure.hpp"

namespace gable::cli {

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

/// Measures the cells that the folder lacks into its virt.jsonl. The folder is locked by the caller. Returns
/// the closing words, and whether everything was visited.
struct VirtOutcome {
  std::string words;
  bool complete = true;
};
VirtOutcome measure_virt(const std::string& folder, const machines::Host& host,
                         const std::vector<bench::VirtCell>& cells, double budget, bool quiet);

}  // namespace gable::cli
