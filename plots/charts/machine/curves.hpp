#pragma once

// Curves of roofs: runs of figures that differ in the working set or in the load.

#include <string>
#include <vector>

#include "plots/charts/chart.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

struct Curve {
  std::string name;
  std::vector<model::Roof> points;  ///< all ok
};

/// The roofs of a cluster and kind, with any status.
std::vector<model::Roof> select(const std::vector<model::Roof>& roofs, int cluster, model::Kind kind);

/// The ok ones by their names, in order of appearance, without those that are hidden.
std::vector<Curve> curves_of(const Recorded& recorded, const std::vector<model::Roof>& roofs);

/// Returns the table of curves: the table of roofs with the columns series, label and `more`.
Table curve_table(const std::vector<std::string>& more = {});
/// Adds the rows of curves that are numbered from `first`; the last row of each has its label.
void add_rows(Table& table, const std::vector<Curve>& curves, int first);

/// Width of the column beside the panel that has the curves' names, in points.
double name_column(const std::vector<Curve>& curves);

/// Adds the curves to the panel, by `x` of each figure, and their names beside it, joined to their ends by
/// leaders if `leaders`; in a paper's column the names become entries of the legend, which is not laid out.
void add_curves(Chart& chart, Panel& panel, const std::vector<Curve>& curves, double (*x)(const model::Roof&),
                std::size_t first_style, bool leaders);

}  // namespace gable::charts
