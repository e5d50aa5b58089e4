#pragma once

// The charts of a report: drawn by gnuplot where it is installed, and always with their tables.

#include <set>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
#include "plots/charts/chart.hpp"
#include "plots/html/page.hpp"

namespace gable::cli {

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

}  // namespace gable::cli
