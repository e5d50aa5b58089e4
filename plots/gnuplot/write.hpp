#pragma once

// Writes charts to files: the tables and the pictures.

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::gnuplot {

/// Writes the charts' tables and pictures into `folder`, which is created if needed. Files are replaced only
/// after all are drawn, so that a failure leaves the existing ones. Prints to `tell` (null: nowhere) each
/// file, each omitted chart, the caption of a chart for a paper's column, and each existing picture that is
/// now older than its table. Calls `check` before each picture; it may throw to stop. PDFs are left out, with
/// the reason, where none can be drawn. Without a working gnuplot the tables are written and Error::failed is
/// thrown.
void write_and_draw(std::vector<charts::Chart> charts, const std::string& folder,
                    const std::vector<std::string>& formats, std::FILE* tell,
                    const std::function<void()>& check, const std::string& font);

}  // namespace gable::gnuplot
