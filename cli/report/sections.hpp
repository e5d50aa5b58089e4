#pragma once

// The sections of a report below its first screen.

#include <vector>

#include "cli/report/content.hpp"
#include "plots/html/page.hpp"

namespace gable::cli {

/// Every section, also one of which the folder has nothing: it then names the command that makes it.
std::vector<html::Section> report_sections(const ReportContent& content);

}  // namespace gable::cli
