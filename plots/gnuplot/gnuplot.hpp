#pragma once

// Runs gnuplot, and writes charts to files.

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "plots/charts/chart.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::gnuplot {

/// Why gnuplot cannot be used: it is not installed, cannot be started, or fails; empty if it can.
std::string no_gnuplot();

/// Why no picture of this format ("svg", "png" or "pdf") can be drawn: gnuplot has no terminal for it, and
/// rsvg-convert is missing or fails; empty if it can.
std::string no_picture(const std::string& format);

/// Draws the chart into the file `output`. Throws Error::failed; the file is then as it was.
void draw(const charts::Chart& chart, const std::string& format, const std::string& output,
          const std::string& font = usual_font);

/// Writes the charts' tables and pictures into `folder`, which is created if needed. Files are replaced only
/// after all are drawn, so that a failure leaves the existing ones. Prints to `tell` (null: nowhere) each
/// file, each omitted chart, the caption of a chart for a paper's column, and each existing picture that is
/// now older than its table. Calls `check` before each picture; it may throw to stop. A format is left out,
/// with the reason, where it cannot be drawn. Without a working gnuplot the tables are written and
/// Error::failed is thrown.
void write_and_draw(std::vector<charts::Chart> charts, const std::string& folder,
                    const std::vector<std::string>& formats, std::FILE* tell,
                    const std::function<void()>& check, const std::string& font);

}  // namespace gable::gnuplot
