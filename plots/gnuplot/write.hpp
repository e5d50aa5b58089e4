#pragma once

// From charts to files: the tables and the pictures.

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::gnuplot {

/// Writes the charts' tables and pictures into `folder`, which is made if it is not there: all of them once
/// all are drawn, so that a failure leaves those that were there. Prints each file, each chart that is
/// omitted and each picture there that is now older than its table on `tell` (null: nowhere). Calls `check`
/// before each picture, which may throw to end it. Without gnuplot the tables are written and GnuplotError is
/// thrown.
void write_and_draw(std::vector<charts::Chart> charts, const std::string& folder,
                    const std::vector<std::string>& formats, std::FILE* tell,
                    const std::function<void()>& check);

}  // namespace gable::gnuplot
