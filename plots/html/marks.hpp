#pragma once

// What a reader can ask of a chart: the names and figures of its marks, and which of them are shown and
// hidden together.

#include <string>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::html {

/// The series that a drawing tool draws, panel by panel in their order.
struct DrawnSeries {
  const charts::Chart* chart;
  const charts::Panel* panel;
  const charts::Series* series;
};
std::vector<DrawnSeries> drawn_series(const charts::Chart& chart);

/// The distinct group names, in order of appearance.
std::vector<std::string> groups_of(const charts::Chart& chart);

/// "s3": the word for a group in the page; empty where it is none of `groups`.
std::string group_word(const std::vector<std::string>& groups, const std::string& group);

/// The figures of a datum: "working set 32 KiB, bandwidth 104 GB/s (103 to 105)".
std::string figures_of(const DrawnSeries& drawn, const charts::Datum& datum);

/// Whether each datum of the series has a mark of its own, with figures that the name does not tell.
bool has_own_marks(const charts::Series& series);

/// Whether it makes sense to hide groups of the chart: not where each mark is one cell of a matrix.
bool can_be_hidden(const charts::Chart& chart);

}  // namespace gable::html
