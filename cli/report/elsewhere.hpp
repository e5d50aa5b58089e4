#pragma once

// This file makes the section of a report with the times of the folder's points on other machines.

#include <string>

#include "cli/report/content.hpp"

namespace gable::cli {

/// Returns a table and a chart for each point that has a profile, or a hint at the command that provides what
/// is missing.
std::string elsewhere_html(const ReportContent& content);

}  // namespace gable::cli
