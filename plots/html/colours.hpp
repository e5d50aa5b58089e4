#pragma once

// The colours of a page, light and dark.

#include <set>
#include <string>

#include "plots/charts/chart.hpp"

namespace gable::html {

/// The colour of the same hue for a dark page: what was dark on white becomes light on nearly black.
charts::Colour dark_of(charts::Colour colour);

/// The name of the CSS variable that has the colour: "--c0072b2".
std::string variable_of(charts::Colour colour);

/// "--c0072b2:#0072b2;..." of all: the light colours, or the dark ones.
std::string variables(const std::set<charts::Colour>& colours, bool dark);

}  // namespace gable::html
