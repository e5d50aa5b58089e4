#pragma once

// A chart on a page: its titles, its picture with switches, its note and its table.

#include <set>
#include <string>

#include "plots/charts/chart.hpp"

namespace gable::html {

/// `svg`: what gnuplot drew of without_words(chart); empty: there is no picture, and the table is open. Adds
/// the CSS variables that it needs to `colours`.
std::string figure_html(const charts::Chart& chart, const std::string& svg,
                        std::set<charts::Colour>& colours);

}  // namespace gable::html
