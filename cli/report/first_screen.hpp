#pragma once

// What matters, on the first screen of a report.

#include <string>

#include "cli/report/content.hpp"

namespace gable::cli {

/// Sentences, bandwidths and latencies of each memory from each cluster, peaks, and the LARM chart of the
/// first cluster that has one.
std::string first_screen_html(const ReportContent& content);

/// The machine drawn, with what the topology does not tell.
std::string machine_html(const ReportContent& content);

}  // namespace gable::cli
