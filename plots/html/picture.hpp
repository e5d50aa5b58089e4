#pragma once

// A chart's picture as a part of a page: gnuplot's SVG, to which names, figures and switches are added from
// the chart that it was drawn from.

#include <set>
#include <string>

#include "plots/charts/chart.hpp"

namespace gable::html {

/// The chart without the title, subtitle and note, which the page shows as texts: what is to be drawn.
charts::Chart without_words(charts::Chart chart);

struct Picture {
  std::string svg;                   ///< an element of the page
  std::set<charts::Colour> colours;  ///< CSS variables that it uses (variable_of)
  bool has_marks = false;            ///< whether its marks have names and figures
};

/// The picture joins the chart with the SVG that gnuplot drew of `without_words(chart)`. `prefix` makes its
/// ids unique in the page. An SVG whose groups are not the chart's series is shown without names and
/// switches.
Picture picture_of(const charts::Chart& chart, const std::string& svg, const std::string& prefix);

}  // namespace gable::html
