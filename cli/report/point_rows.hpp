#pragma once

// The programs under the roofs, in a report.

#include <string>

#include "cli/report/content.hpp"

namespace gable::cli {

/// A table of all points with their figures, roofs, headroom and causes.
std::string points_html(const ReportContent& content);

}  // namespace gable::cli
