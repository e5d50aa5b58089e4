#pragma once

// Converts a chart into a self-contained gnuplot program: data, axes, styles.

#include <string>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::gnuplot {

/// The formats of pictures by file suffix: "svg", "png", "pdf".
std::vector<std::string> picture_formats();

/// A text as gnuplot source, in single quotes; control characters become spaces.
std::string quoted(const std::string& text);

inline constexpr const char* usual_font = "sans-serif";
inline constexpr double column_inches = 3.4;  ///< width of a picture for a paper's column

/// The program that draws `chart` into the file `output`, a name without control characters, with letters of
/// this font.
std::string script_of(const charts::Chart& chart, const std::string& format, const std::string& output,
                      const std::string& font);

/// The size of the picture in points: for a paper's column smaller than the chart's page.
struct PictureSize {
  double width = 0, height = 0;
};
PictureSize picture_size(const charts::Chart& chart);

/// The size of the PNG in pixels: 1.5 for a point, in a paper's column 600 for an inch.
PictureSize pixel_size(const charts::Chart& chart);

/// "#1f87bd".
std::string colour_text(charts::Colour colour);

/// "linewidth 1.8 dashtype (9,5) linecolor rgb '#...'" and likewise for fills and symbols.
std::string line_look(const charts::Style& style);
std::string fill_look(const charts::Style& style);
std::string symbol_look(const charts::Style& style);

/// The command that draws the panel's series in their order. Adds the data blocks that it names to `data`.
std::string plot_command(const charts::Panel& panel, std::string& data);

}  // namespace gable::gnuplot
