#pragma once

// The pictures of gable kmaf.

#include <optional>
#include <string>
#include <vector>

#include "kmaf/replay/result.hpp"
#include "kmaf/traces/metrics.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/styles.hpp"

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

/// The note of every chart of a replay.
inline constexpr const char* simulated_note =
    "Simulated machine: compare the policies with each other; the absolute times are not realistic.";

/// Bars of one colour: a value for each group, if known.
struct BarSeries {
  std::string name;
  Style style;
  std::vector<std::optional<kmaf::Summary>> figures;
};

/// Sets `value`, `lo` and `hi` of the table's last row; returns the upper end.
double put_figure(Table& table, const kmaf::Summary& figure);

/// Draws the bars into the empty `chart`, with its legend. `axis`: what is drawn; `most`: the end of the
/// axis, at which taller bars are cut and labelled; `width`: of the chart, unless it is for a paper's column.
void draw_bars(Chart& chart, const std::vector<std::string>& groups, const std::vector<BarSeries>& series,
               const char* axis, double most, double width);
/// The same for values relative to the OS, with a line at 1.
void draw_ratios(Chart& chart, const std::vector<std::string>& groups, const std::vector<BarSeries>& series,
                 double most, double width);

}  // namespace gable::charts
