#pragma once

// The series of a panel as gnuplot's plot command and its data.

#include <string>

#include "plots/charts/chart.hpp"

namespace gable::gnuplot {

/// "#1f87bd".
std::string colour_text(charts::Colour colour);

/// "linewidth 1.8 dashtype (9,5) linecolor rgb '#...'" and likewise for fills and symbols.
std::string line_look(const charts::Style& style);
std::string fill_look(const charts::Style& style);
std::string symbol_look(const charts::Style& style);

/// The command that draws the panel's series in their order. Adds the data blocks that it names to `data`.
std::string plot_command(const charts::Panel& panel, std::string& data);

}  // namespace gable::gnuplot
