#pragma once

// How the figures of a report were measured, as far as the folder tells.

#include <string>

#include "cli/report/content.hpp"

namespace gable::cli {

/// The host and its settings, the visits with what disturbed them, and how figures come about. Throws
/// Error::format.
std::string method_html(const ReportContent& content);

}  // namespace gable::cli
