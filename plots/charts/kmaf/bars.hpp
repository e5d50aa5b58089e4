#pragma once

// Groups of bars for the charts of replays: a group for each policy or program, a colour for each series.

#include <optional>
#include <string>
#include <vector>

#include "kmaf/replay/result.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {

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
