#pragma once

// What virtualization costs, in a report.

#include <string>

#include "cli/report/content.hpp"

namespace gable::cli {

/// Tables and pictures of virt.jsonl, and what the recorded noise does on many nodes. Throws FormatError.
std::string virt_html(const ReportContent& content);

}  // namespace gable::cli
