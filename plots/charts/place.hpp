#pragma once

// Placements as pictures: traversed edges per second over ranks, over threads, and graph by graph (PMEM graph
// thesis, figures 3.1 to 3.6 and 3.9 to 3.12).

#include <map>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "plots/charts/chart.hpp"

namespace gable::cli {

/// Where a record stands on the x axis, and what is written there; the text may be empty.
struct PlaceAt {
  double x = 0;
  std::string text;
};

/// The table behind a picture of several panels: traversed edges per second, a series for each placement.
class PlacePanels {
 public:
  /// The letters of all records that the picture may show.
  explicit PlacePanels(const std::vector<model::Placed>& records);

  /// Adds a panel with the ok records among these. Panels of one `row` have the same y axis.
  void add(const std::string& title, int row, const std::vector<model::Placed>& records,
           PlaceAt (*at)(const model::Placed&));
  /// As above, with the place of every record given.
  void add(const std::string& title, int row, const std::vector<model::Placed>& records,
           const std::vector<PlaceAt>& at);

  int count() const { return panels_; }
  bool empty() const { return table_.rows() == 0; }
  /// Hands the table over and tells plots/gnuplot/place.gp what it shows. `bars`: beside each other at whole
  /// numbers from 0; else lines, over a logarithmic x axis where `log_x`. `columns` panels stand in a row.
  void finish(Chart& chart, const std::string& x_label, int columns, bool bars, bool log_x);

 private:
  std::string note() const;
  void tell_axis(Chart& chart, bool bars, bool log_x) const;
  void lay_out(Chart& chart, int columns, bool bars) const;

  std::map<std::string, char> letters_;
  std::vector<std::string> codes_;  ///< of the series
  Table table_;
  std::map<int, double> most_;  ///< by row, in millions of edges a second
  std::vector<int> rows_;       ///< of the panels
  std::map<double, std::string> tics_;
  int panels_ = 0, missing_ = 0;
  bool beyond_ = false;  ///< an interval is wider than its panel
};

/// "2 threads, one a core"; with several records of the same threads, "1 thread".
std::string team_text(int threads, bool smt);

/// Every picture of the folder's placements on graphs; none where there are none.
std::vector<Chart> place_charts(const Recorded& recorded, int cluster);

}  // namespace gable::cli
