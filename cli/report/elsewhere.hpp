#pragma once

// The times of a folder's points on other machines, in a report.

#include <string>

#include "cli/report/content.hpp"

namespace gable::cli {

/// A table and a chart for each point that keeps a profile; otherwise what to do.
std::string elsewhere_html(const ReportContent& content);

}  // namespace gable::cli
