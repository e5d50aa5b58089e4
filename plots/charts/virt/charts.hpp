#pragma once

// What virtualization costs, in pictures: each shows one environment, or several beside each other. `column`:
// for a paper's column.

#include <map>
#include <string>
#include <vector>

#include "model/compare/compare.hpp"
#include "model/virt/scale.hpp"
#include "model/virt/summary.hpp"
#include "plots/charts/chart.hpp"

namespace gable::charts {

/// An environment and what was measured in it, which must outlive this.
struct VirtSide {
  std::string name;
  const model::VirtSummary* summary = nullptr;
  std::map<std::string, model::Difference> changes = {};  ///< from the first environment, by key of its Case
};

/// Cost of translating addresses over the working set, with the fitted curves; a line for each environment
/// and page size.
Chart virt_walks_chart(const std::vector<VirtSide>& sides, bool column = false);

/// Time lost to detours, by their length; a line for each environment.
Chart virt_noise_chart(const std::vector<VirtSide>& sides, bool column = false);

/// Performance relative to the first environment, with the intervals of `changes`: a group of bars for each
/// program (Palacios paper, figure 12).
Chart virt_programs_chart(const std::vector<VirtSide>& sides);

struct ScaleLine {
  std::string name;
  std::vector<model::ScalePoint> points;
  std::vector<std::string> notes;  ///< sentences about the record of the noise
};

/// Slowdown over the number of nodes, with intervals.
Chart scale_chart(const std::vector<ScaleLine>& lines, bool strong, bool column = false);

}  // namespace gable::charts
