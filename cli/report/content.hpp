#pragma once

// What the sections of a report are made from.

#include <string>

#include "cli/report/figures.hpp"
#include "cli/report/kmaf_records.hpp"
#include "cli/show/recorded.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::cli {

struct ReportContent {
  ShownFolder shown;
  charts::Recorded recorded;  ///< the same, for the charts
  KmafRecords kmaf;
  ReportFigures& figures;

  bool has_roofs() const { return !shown.roofs.roofs.empty() || !shown.roofs.ladder.empty(); }
};

/// Reads the folder. Throws UsageError, FormatError.
ReportContent report_content(const std::string& folder, ReportFigures& figures);

/// "There is no ...", and the command that records it, in which DIR becomes the folder. A published machine
/// has no such command.
std::string absent_html(const ReportContent& content, const std::string& sentence,
                        const std::string& command);

}  // namespace gable::cli
