#pragma once

// Every roof of a report with its interval, as tables.

#include <string>

#include "cli/report/content.hpp"

namespace gable::cli {

/// A table for each cluster with the best figure of each question, then one with all kernels and page sizes;
/// cache levels; validation.
std::string roofs_html(const ReportContent& content);

/// What was skipped or is invalid, by reason, with every case.
std::string missing_html(const ReportContent& content);

}  // namespace gable::cli
