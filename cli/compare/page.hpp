#pragma once

// What gable compare shows, as a page like a report's.

#include <string>
#include <vector>

#include "cli/compare/compared.hpp"
#include "plots/charts/chart.hpp"

namespace gable::cli {

/// Writes the page with every table and the charts; one file that needs nothing else. Throws
/// Error::interrupted, Error::failed, std::system_error; the file is then as it was.
void write_page(const Compared& compared, const std::vector<charts::Chart>& charts, const std::string& file);

}  // namespace gable::cli
