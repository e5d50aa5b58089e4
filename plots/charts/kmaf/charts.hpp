#pragma once

// The pictures of gable kmaf.

#include <string>
#include <vector>

#include "kmaf/replay/result.hpp"
#include "kmaf/traces/metrics.hpp"
#include "plots/charts/chart.hpp"

namespace gable::charts {

/// The sharing matrix as a heat map (kMAF paper, figure 4) and, with `has_nodes`, how exclusively the pages
/// are used (figures 1 and 2). `trace` is its name in the titles; `column`: for a paper's column
/// (Chart::column), here and below.
std::vector<Chart> metrics_charts(const kmaf::AffinityFigures& metrics, bool has_nodes,
                                  const std::string& trace, bool column);

/// What is drawn of a replay: the figures of every policy relative to the OS.
struct ReplayRatios {
  std::string name, machine;  ///< of the trace, of the machine
  int threads = 0, runs = 0;
  std::vector<std::string> policies;
  std::vector<kmaf::RatioToOs> measures;
};
ReplayRatios ratios_of(const kmaf::ReplayResult& result);

/// Every policy compared with the OS (figures 7 to 11).
Chart replay_chart(const ReplayRatios& result, bool column);

/// Every program under every policy and the means, one chart per quantity (figures 7 to 11); `with_paper`:
/// also the means that the paper prints, and the overhead of kMAF (figure 12).
std::vector<Chart> program_charts(const std::vector<kmaf::ReplayResult>& programs, bool with_paper,
                                  bool column);

}  // namespace gable::charts
