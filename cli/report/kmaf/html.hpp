#pragma once

// Managed runs and replays, in a report.

#include <string>

#include "cli/report/content.hpp"

namespace gable::cli {

std::string kmaf_html(const ReportContent& content);

}  // namespace gable::cli
