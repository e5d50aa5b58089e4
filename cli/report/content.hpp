#pragma once

// What the sections of a report are made from.

#include <string>
#include <vector>

#include "cli/report/kmaf/records.hpp"
#include "cli/report/report_charts.hpp"
#include "cli/show/recorded.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::cli {

struct ReportContent {
  ShownFolder shown;
  charts::Recorded recorded;           ///< the same, for the charts
  std::vector<model::Sample> samples;  ///< of samples.jsonl
  KmafRecords kmaf;
  ReportCharts& figures;
  std::vector<std::string> machines;  ///< on which the points' times are predicted

  /// Whether machine.json has one memory node, and so no second one that could be measured.
  bool has_one_node() const { return shown.machine && shown.machine->nodes.size() == 1; }
  bool has_roofs() const { return !shown.roofs.roofs.empty() || !shown.roofs.ladder.empty(); }
};

/// Reads the folder. Throws Error::usage, Error::format.
ReportContent report_content(const std::string& folder, ReportCharts& figures);

/// "There is no ...", and the command that records it, in which DIR becomes the folder. There is none for a
/// published machine, nor where `command` is empty, because the machine does not have what it takes.
std::string absent_html(const ReportContent& content, const std::string& sentence,
                        const std::string& command);

}  // namespace gable::cli
