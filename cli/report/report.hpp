#pragma once

// gable report DIR: all that a folder has, as one HTML file to read and to send.

#include <set>
#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "base/temporary_folder.hpp"
#include "cli/show/recorded.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/kmaf/charts.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/html/page.hpp"

namespace gable::cli {

/// What gable kmaf left in a recorded folder: DIR/kmaf/*.json, each the report of `gable kmaf run --json` or
/// the output of `gable kmaf replay --json`.
struct KmafRecords {
  std::vector<Row> runs;  ///< of the table of runs
  std::vector<charts::ReplayRatios> replays;
};

/// The records in the order of the files' names; none where there is no such folder. Throws Error::format for
/// a file that is neither.
KmafRecords kmaf_records(const std::string& folder);

/// The charts of a report: drawn by gnuplot where it is installed, and always with their tables.
class ReportCharts {
 public:
  ReportCharts();

  /// Why there are no pictures; empty where gnuplot draws them.
  const std::string& no_gnuplot() const { return no_gnuplot_; }
  /// The chart as HTML, drawn anew. Throws Error::interrupted, Error::failed.
  std::string html_of(const charts::Chart& chart);
  /// Charts beside each other; a chart that is omitted is a line with its reason.
  std::string html_of(const std::vector<charts::Chart>& charts);
  /// Writes the page, with the colours of the charts and a foot that names the command. Returns "FILE
  /// (SIZE)".
  std::string write(html::Page page, const std::string& command, const std::string& file) const;

 private:
  std::string svg_of(const charts::Chart& chart);

  std::string no_gnuplot_;
  TemporaryFolder folder_{"report"};
  std::size_t bytes_ = 0;  ///< of the charts so far
  std::set<charts::Colour> colours_;
};

struct ReportArguments {
  std::string folder;
  std::string output;  ///< file; empty: DIR/report.html
  std::vector<std::string>
      machines;  ///< on which the points' times are predicted: folders or published names
};

/// Writes the file, as a whole or not at all, and prints its name. Throws Error::usage, Error::format.
void report(const ReportArguments& arguments);

/// What the sections of a report are made from.
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

/// "There is no ...", and the command for it, in which DIR becomes the folder. There is none for a
/// published machine, nor where `command` is empty, because the machine does not have what it takes.
std::string absent_html(const ReportContent& content, const std::string& sentence,
                        const std::string& command);

}  // namespace gable::cli
